// Optimizer steps over flat buffers, in chunks of a fixed size.
#include <algorithm>
#include <cmath>

#include "backend/cpu/cpu_backend.h"

namespace heed {
namespace {

constexpr int64_t kChunk = 32768;  // elements; sums are defined by it

}  // namespace

double CpuBackend::SumOfSquares(ConstMatrixView x) {
  const int64_t chunks_per_row = (x.columns() + kChunk - 1) / kChunk;
  const int64_t chunks = x.rows() * chunks_per_row;
  if (static_cast<int64_t>(partial_sums_.size()) < chunks) {
    partial_sums_.resize(static_cast<size_t>(chunks));
  }
  pool_.Run(chunks, [&](int64_t task, int) {
    const int64_t begin = task % chunks_per_row * kChunk;
    partial_sums_[static_cast<size_t>(task)] = kernels_.sum_of_squares(
        x.Row<float>(task / chunks_per_row) + begin, std::min(kChunk, x.columns() - begin));
  });
  double sum = 0;
  for (int64_t i = 0; i < chunks; ++i) sum += partial_sums_[static_cast<size_t>(i)];
  return sum;
}

void CpuBackend::Adam(const AdamArguments& a) {
  const double correction1 = 1 - std::pow(a.beta1, static_cast<double>(a.update));
  const double correction2 = 1 - std::pow(a.beta2, static_cast<double>(a.update));
  const AdamKernelSpec spec{.gradient_factor = static_cast<float>(a.gradient_factor),
                            .l2 = static_cast<float>(a.l2),
                            .beta1 = static_cast<float>(a.beta1),
                            .beta2 = static_cast<float>(a.beta2),
                            .one_minus_beta1 = static_cast<float>(1 - a.beta1),
                            .one_minus_beta2 = static_cast<float>(1 - a.beta2),
                            .step = static_cast<float>(a.learning_rate / correction1),
                            .inverse_correction = static_cast<float>(1 / std::sqrt(correction2)),
                            .epsilon = static_cast<float>(a.epsilon),
                            .decay = static_cast<float>(1 - a.learning_rate * a.weight_decay)};
  const int64_t n = a.value.columns;
  pool_.Run((n + kChunk - 1) / kChunk, [&](int64_t task, int) {
    const int64_t begin = task * kChunk;
    kernels_.adam(spec, a.gradient.Row<float>(0) + begin, std::min(kChunk, n - begin),
                  a.value.Row<float>(0) + begin, a.first_moment.Row<float>(0) + begin,
                  a.second_moment.Row<float>(0) + begin);
  });
}

void CpuBackend::MovingAverage(ConstMatrixView value, double decay, MatrixView average) {
  const int64_t n = average.columns;
  pool_.Run((n + kChunk - 1) / kChunk, [&](int64_t task, int) {
    const int64_t begin = task * kChunk;
    kernels_.moving_average(value.Row<float>(0) + begin, static_cast<float>(decay),
                            std::min(kChunk, n - begin), average.Row<float>(0) + begin);
  });
}

}  // namespace heed
