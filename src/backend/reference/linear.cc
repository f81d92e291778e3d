#include "backend/reference/linear.h"

#include "backend/reference/store.h"

namespace heed::reference {
namespace {

// The sum over i < n of x[i * x_step] * y[i * y_step].
template <class Real>
double Dot(int64_t n, const Real* x, int64_t x_step, const Real* y, int64_t y_step) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    sum += static_cast<double>(x[i * x_step]) * static_cast<double>(y[i * y_step]);
  }
  return sum;
}

}  // namespace

template <class Real>
void Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b, Activation activation,
            MatrixView y) {
  HEED_CHECK(activation == Activation::kNone || activation == Activation::kRelu,
             "Linear has no epilogue for activation {}", static_cast<int>(activation));
  for (int64_t token = 0; token < y.rows; ++token) {
    Real* y_row = y.Row<Real>(token);
    for (int64_t out = 0; out < y.columns; ++out) {
      double sum = Dot(x.columns(), x.Row<Real>(token), 1, w.Row<Real>(out), 1);
      if (b) sum += static_cast<double>(b.Row<Real>(0)[out]);
      if (activation == Activation::kRelu && sum < 0) sum = 0;  // a NaN stays one
      y_row[out] = static_cast<Real>(sum);
    }
  }
}

template <class Real>
void LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w, MatrixView dx, bool accumulate) {
  for (int64_t token = 0; token < dx.rows; ++token) {
    for (int64_t in = 0; in < dx.columns; ++in) {
      const double sum = Dot(w.rows(), dy.Row<Real>(token), 1, w.Row<Real>(0) + in, w.stride());
      Store(sum, accumulate, dx.Row<Real>(token)[in]);
    }
  }
}

template <class Real>
void LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x, MatrixView dw) {
  for (int64_t out = 0; out < dw.rows; ++out) {
    for (int64_t in = 0; in < dw.columns; ++in) {
      const double sum =
          Dot(dy.rows(), dy.Row<Real>(0) + out, dy.stride(), x.Row<Real>(0) + in, x.stride());
      Store(sum, true, dw.Row<Real>(out)[in]);
    }
  }
}

template <class Real>
void LinearBackwardBias(ConstMatrixView dy, MatrixView db) {
  for (int64_t out = 0; out < db.columns; ++out) {
    double sum = 0;
    for (int64_t token = 0; token < dy.rows(); ++token) {
      sum += static_cast<double>(dy.Row<Real>(token)[out]);
    }
    Store(sum, true, db.Row<Real>(0)[out]);
  }
}

template void Linear<float>(ConstMatrixView, ConstMatrixView, ConstMatrixView, Activation,
                            MatrixView);
template void Linear<double>(ConstMatrixView, ConstMatrixView, ConstMatrixView, Activation,
                             MatrixView);
template void LinearBackwardInput<float>(ConstMatrixView, ConstMatrixView, MatrixView, bool);
template void LinearBackwardInput<double>(ConstMatrixView, ConstMatrixView, MatrixView, bool);
template void LinearBackwardWeight<float>(ConstMatrixView, ConstMatrixView, MatrixView);
template void LinearBackwardWeight<double>(ConstMatrixView, ConstMatrixView, MatrixView);
template void LinearBackwardBias<float>(ConstMatrixView, MatrixView);
template void LinearBackwardBias<double>(ConstMatrixView, MatrixView);

}  // namespace heed::reference
