#include "backend/reference/optimizer.h"

#include <cmath>

namespace heed::reference {

template <class Real>
double SumOfSquares(ConstMatrixView x) {
  double sum = 0;
  for (int64_t row = 0; row < x.rows(); ++row) {
    for (int64_t column = 0; column < x.columns(); ++column) {
      const double value = static_cast<double>(x.Row<Real>(row)[column]);
      sum += value * value;
    }
  }
  return sum;
}

// Kingma and Ba 2015, algorithm 1; the decay is apart from the gradient as in Loshchilov and Hutter
// 2019, algorithm 2.
template <class Real>
void Adam(const AdamArguments& arguments) {
  const auto& [value, gradient, first_moment, second_moment, learning_rate, beta1, beta2, epsilon,
               weight_decay, l2, update, gradient_factor] = arguments;
  const double correction1 = 1 - std::pow(beta1, static_cast<double>(update));
  const double correction2 = 1 - std::pow(beta2, static_cast<double>(update));
  Real* values = value.Row<Real>(0);
  Real* firsts = first_moment.Row<Real>(0);
  Real* seconds = second_moment.Row<Real>(0);
  for (int64_t i = 0; i < value.columns; ++i) {
    const double x = static_cast<double>(values[i]);
    const double g = static_cast<double>(gradient.Row<Real>(0)[i]) * gradient_factor + l2 * x;
    const double m = beta1 * static_cast<double>(firsts[i]) + (1 - beta1) * g;
    const double v = beta2 * static_cast<double>(seconds[i]) + (1 - beta2) * g * g;
    const double step = m / correction1 / (std::sqrt(v / correction2) + epsilon);
    firsts[i] = static_cast<Real>(m);
    seconds[i] = static_cast<Real>(v);
    values[i] = static_cast<Real>(x - learning_rate * weight_decay * x - learning_rate * step);
  }
}

template <class Real>
void MovingAverage(ConstMatrixView value, double decay, MatrixView average) {
  for (int64_t i = 0; i < average.columns; ++i) {
    Real& target = average.Row<Real>(0)[i];
    target = static_cast<Real>(decay * static_cast<double>(target) +
                               (1 - decay) * static_cast<double>(value.Row<Real>(0)[i]));
  }
}

template double SumOfSquares<float>(ConstMatrixView);
template double SumOfSquares<double>(ConstMatrixView);
template void Adam<float>(const AdamArguments&);
template void Adam<double>(const AdamArguments&);
template void MovingAverage<float>(ConstMatrixView, double, MatrixView);
template void MovingAverage<double>(ConstMatrixView, double, MatrixView);

}  // namespace heed::reference
