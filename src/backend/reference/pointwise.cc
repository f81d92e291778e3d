#include "backend/reference/pointwise.h"

#include <cmath>
#include <numbers>

#include "backend/reference/dropout.h"
#include "backend/reference/store.h"

namespace heed::reference {
namespace {

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// The distribution function of the standard normal distribution, Phi.
double NormalDistribution(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double NormalDensity(double x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

double Activate(Activation activation, double x) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x < 0 ? 0 : x;  // a NaN stays one
    case Activation::kGelu:
      return x * NormalDistribution(x);
    case Activation::kSilu:
      return x * Sigmoid(x);
  }
  HEED_CHECK(false, "activation {}", static_cast<int>(activation));
}

double Derivative(Activation activation, double x) {
  switch (activation) {
    case Activation::kNone:
      return 1;
    case Activation::kRelu:
      return x > 0 ? 1 : 0;
    case Activation::kGelu:
      return NormalDistribution(x) + x * NormalDensity(x);
    case Activation::kSilu:
      return Sigmoid(x) * (1 + x * (1 - Sigmoid(x)));
  }
  HEED_CHECK(false, "activation {}", static_cast<int>(activation));
}

}  // namespace

template <class Real>
void ActivationForward(Activation activation, ConstMatrixView x, MatrixView y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    for (int64_t column = 0; column < y.columns; ++column) {
      y.Row<Real>(row)[column] =
          static_cast<Real>(Activate(activation, static_cast<double>(x.Row<Real>(row)[column])));
    }
  }
}

template <class Real>
void ActivationBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy, MatrixView dx,
                        bool accumulate) {
  for (int64_t row = 0; row < dx.rows; ++row) {
    for (int64_t column = 0; column < dx.columns; ++column) {
      const double slope = Derivative(activation, static_cast<double>(x.Row<Real>(row)[column]));
      const double above = static_cast<double>(dy.Row<Real>(row)[column]);
      Store(slope * above, accumulate, dx.Row<Real>(row)[column]);
    }
  }
}

template <class Real>
void GatedForward(Activation activation, ConstMatrixView x, MatrixView y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    const Real* gate = x.Row<Real>(row);
    const Real* linear = gate + y.columns;
    for (int64_t column = 0; column < y.columns; ++column) {
      y.Row<Real>(row)[column] =
          static_cast<Real>(Activate(activation, static_cast<double>(gate[column])) *
                            static_cast<double>(linear[column]));
    }
  }
}

template <class Real>
void GatedBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy, MatrixView dx,
                   bool accumulate) {
  const int64_t width = dy.columns();
  for (int64_t row = 0; row < dy.rows(); ++row) {
    for (int64_t column = 0; column < width; ++column) {
      const double gate = static_cast<double>(x.Row<Real>(row)[column]);
      const double linear = static_cast<double>(x.Row<Real>(row)[width + column]);
      const double above = static_cast<double>(dy.Row<Real>(row)[column]);
      Real* dx_row = dx.Row<Real>(row);
      Store(above * linear * Derivative(activation, gate), accumulate, dx_row[column]);
      Store(above * Activate(activation, gate), accumulate, dx_row[width + column]);
    }
  }
}

template <class Real>
void DropoutAdd(ConstMatrixView x, ConstMatrixView residual, const DropoutSpec& dropout,
                MatrixView y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    for (int64_t column = 0; column < y.columns; ++column) {
      const double factor = DropoutFactor(dropout, row * y.columns + column);
      // A dropped element is 0 even if it was not finite.
      double value = factor == 0 ? 0 : factor * static_cast<double>(x.Row<Real>(row)[column]);
      if (residual) value += static_cast<double>(residual.Row<Real>(row)[column]);
      y.Row<Real>(row)[column] = static_cast<Real>(value);
    }
  }
}

template <class Real>
void DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout, MatrixView dx,
                     bool accumulate) {
  for (int64_t row = 0; row < dx.rows; ++row) {
    for (int64_t column = 0; column < dx.columns; ++column) {
      const double factor = DropoutFactor(dropout, row * dx.columns + column);
      const double value =
          factor == 0 ? 0 : factor * static_cast<double>(dy.Row<Real>(row)[column]);
      Store(value, accumulate, dx.Row<Real>(row)[column]);
    }
  }
}

template void ActivationForward<float>(Activation, ConstMatrixView, MatrixView);
template void ActivationForward<double>(Activation, ConstMatrixView, MatrixView);
template void ActivationBackward<float>(Activation, ConstMatrixView, ConstMatrixView, MatrixView,
                                        bool);
template void ActivationBackward<double>(Activation, ConstMatrixView, ConstMatrixView, MatrixView,
                                         bool);
template void GatedForward<float>(Activation, ConstMatrixView, MatrixView);
template void GatedForward<double>(Activation, ConstMatrixView, MatrixView);
template void GatedBackward<float>(Activation, ConstMatrixView, ConstMatrixView, MatrixView, bool);
template void GatedBackward<double>(Activation, ConstMatrixView, ConstMatrixView, MatrixView, bool);
template void DropoutAdd<float>(ConstMatrixView, ConstMatrixView, const DropoutSpec&, MatrixView);
template void DropoutAdd<double>(ConstMatrixView, ConstMatrixView, const DropoutSpec&, MatrixView);
template void DropoutBackward<float>(ConstMatrixView, const DropoutSpec&, MatrixView, bool);
template void DropoutBackward<double>(ConstMatrixView, const DropoutSpec&, MatrixView, bool);

}  // namespace heed::reference
