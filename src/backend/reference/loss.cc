#include "backend/reference/loss.h"

#include <algorithm>
#include <cmath>

namespace heed::reference {
namespace {

// The log of the sum of the exponentials of x[0 ... n), n > 0.
template <class Real>
double LogSumExp(const Real* x, int64_t n) {
  const double largest = static_cast<double>(*std::max_element(x, x + n));
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i]) - largest);
  return largest + std::log(sum);
}

// One row of CrossEntropy with a label. With log_sum = log sum exp of the logits, the loss is
// (1 - smoothing) * (log_sum - logit[label]) + smoothing * (log_sum - mean(logits)).
template <class Real>
void CrossEntropyRow(std::span<Real> logits, size_t label, double smoothing, double* losses) {
  const double log_sum = LogSumExp(logits.data(), static_cast<int64_t>(logits.size()));
  double mean = 0;
  for (const Real logit : logits) {
    mean += static_cast<double>(logit) / static_cast<double>(logits.size());
  }
  losses[1] = log_sum - static_cast<double>(logits[label]);
  losses[0] = (1 - smoothing) * losses[1] + smoothing * (log_sum - mean);
}

// Each logit becomes gradient_scale * (probability - target).
template <class Real>
void CrossEntropyGradient(std::span<Real> logits, size_t label, double smoothing,
                          double gradient_scale) {
  const double log_sum = LogSumExp(logits.data(), static_cast<int64_t>(logits.size()));
  for (size_t entry = 0; entry < logits.size(); ++entry) {
    double target = smoothing / static_cast<double>(logits.size());
    if (entry == label) target += 1 - smoothing;
    const double probability = std::exp(static_cast<double>(logits[entry]) - log_sum);
    logits[entry] = static_cast<Real>(gradient_scale * (probability - target));
  }
}

}  // namespace

template <class Real>
void CrossEntropy(MatrixView logits, std::span<const int32_t> labels, double smoothing,
                  double gradient_scale, bool with_gradient, MatrixView losses) {
  for (int64_t token = 0; token < logits.rows; ++token) {
    const int32_t label = labels[static_cast<size_t>(token)];
    const std::span<Real> row(logits.Row<Real>(token), static_cast<size_t>(logits.columns));
    double row_losses[2] = {0, 0};
    if (label >= 0) {
      CrossEntropyRow(row, static_cast<size_t>(label), smoothing, row_losses);
      if (with_gradient) {
        CrossEntropyGradient(row, static_cast<size_t>(label), smoothing, gradient_scale);
      }
    } else if (with_gradient) {
      std::fill(row.begin(), row.end(), Real{0});
    }
    losses.Row<Real>(token)[0] = static_cast<Real>(row_losses[0]);
    losses.Row<Real>(token)[1] = static_cast<Real>(row_losses[1]);
  }
}

template <class Real>
void LogSoftmax(MatrixView x) {
  for (int64_t row = 0; row < x.rows; ++row) {
    Real* x_row = x.Row<Real>(row);
    const double log_sum = LogSumExp(x_row, x.columns);
    for (int64_t column = 0; column < x.columns; ++column) {
      x_row[column] = static_cast<Real>(static_cast<double>(x_row[column]) - log_sum);
    }
  }
}

template void CrossEntropy<float>(MatrixView, std::span<const int32_t>, double, double, bool,
                                  MatrixView);
template void CrossEntropy<double>(MatrixView, std::span<const int32_t>, double, double, bool,
                                   MatrixView);
template void LogSoftmax<float>(MatrixView);
template void LogSoftmax<double>(MatrixView);

}  // namespace heed::reference
