#include "backend/reference/norm.h"

#include <cmath>

#include "backend/reference/store.h"

namespace heed::reference {

template <class Real>
void LayerNormForward(ConstMatrixView x, ConstMatrixView gamma, ConstMatrixView beta,
                      double epsilon, MatrixView y, MatrixView statistics) {
  const double width = static_cast<double>(y.columns);
  for (int64_t row = 0; row < y.rows; ++row) {
    const Real* x_row = x.Row<Real>(row);
    double mean = 0, variance = 0;
    for (int64_t column = 0; column < y.columns; ++column) {
      mean += static_cast<double>(x_row[column]) / width;
    }
    for (int64_t column = 0; column < y.columns; ++column) {
      const double distance = static_cast<double>(x_row[column]) - mean;
      variance += distance * distance / width;
    }
    const double inverse = 1 / std::sqrt(variance + epsilon);
    for (int64_t column = 0; column < y.columns; ++column) {
      const double normal = (static_cast<double>(x_row[column]) - mean) * inverse;
      y.Row<Real>(row)[column] =
          static_cast<Real>(normal * static_cast<double>(gamma.Row<Real>(0)[column]) +
                            static_cast<double>(beta.Row<Real>(0)[column]));
    }
    statistics.Row<Real>(row)[0] = static_cast<Real>(mean);
    statistics.Row<Real>(row)[1] = static_cast<Real>(inverse);
  }
}

// With normal = (x - mean) * inverse and g = dy * gamma:
// dx = inverse * (g - mean(g) - normal * mean(g * normal)).
template <class Real>
void LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView gamma,
                            ConstMatrixView statistics, MatrixView dx, bool accumulate) {
  const double width = static_cast<double>(dx.columns);
  for (int64_t row = 0; row < dx.rows; ++row) {
    const double mean = static_cast<double>(statistics.Row<Real>(row)[0]);
    const double inverse = static_cast<double>(statistics.Row<Real>(row)[1]);
    const auto normal = [&](int64_t column) {
      return (static_cast<double>(x.Row<Real>(row)[column]) - mean) * inverse;
    };
    const auto above = [&](int64_t column) {
      return static_cast<double>(dy.Row<Real>(row)[column]) *
             static_cast<double>(gamma.Row<Real>(0)[column]);
    };
    double mean_above = 0, mean_product = 0;
    for (int64_t column = 0; column < dx.columns; ++column) {
      mean_above += above(column) / width;
      mean_product += above(column) * normal(column) / width;
    }
    for (int64_t column = 0; column < dx.columns; ++column) {
      Store(inverse * (above(column) - mean_above - normal(column) * mean_product), accumulate,
            dx.Row<Real>(row)[column]);
    }
  }
}

template <class Real>
void LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView statistics,
                             MatrixView dgamma, MatrixView dbeta) {
  for (int64_t column = 0; column < dgamma.columns; ++column) {
    double gamma_sum = 0, beta_sum = 0;
    for (int64_t row = 0; row < dy.rows(); ++row) {
      const double above = static_cast<double>(dy.Row<Real>(row)[column]);
      const double mean = static_cast<double>(statistics.Row<Real>(row)[0]);
      const double inverse = static_cast<double>(statistics.Row<Real>(row)[1]);
      gamma_sum += above * (static_cast<double>(x.Row<Real>(row)[column]) - mean) * inverse;
      beta_sum += above;
    }
    Store(gamma_sum, true, dgamma.Row<Real>(0)[column]);
    Store(beta_sum, true, dbeta.Row<Real>(0)[column]);
  }
}

template void LayerNormForward<float>(ConstMatrixView, ConstMatrixView, ConstMatrixView, double,
                                      MatrixView, MatrixView);
template void LayerNormForward<double>(ConstMatrixView, ConstMatrixView, ConstMatrixView, double,
                                       MatrixView, MatrixView);
template void LayerNormBackwardInput<float>(ConstMatrixView, ConstMatrixView, ConstMatrixView,
                                            ConstMatrixView, MatrixView, bool);
template void LayerNormBackwardInput<double>(ConstMatrixView, ConstMatrixView, ConstMatrixView,
                                             ConstMatrixView, MatrixView, bool);
template void LayerNormBackwardWeight<float>(ConstMatrixView, ConstMatrixView, ConstMatrixView,
                                             MatrixView, MatrixView);
template void LayerNormBackwardWeight<double>(ConstMatrixView, ConstMatrixView, ConstMatrixView,
                                              MatrixView, MatrixView);

}  // namespace heed::reference
