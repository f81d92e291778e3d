// Layer normalisation (Ba et al. 2016) of one row.
#pragma once

#include <cmath>

#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/lanes.h"

namespace heed::HEED_ISA {

// The mean is taken first and the squares of the differences then: no cancellation.
inline void NormForwardRow(const float* x, const float* gamma, const float* beta, float epsilon,
                           int64_t n, float* y, float* statistics) {
  Floats sum = Zero();
  ForLanes(n, [&](int64_t i, auto lanes) { sum = sum + lanes.Load(x + i); });
  const float mean = Sum(sum) / static_cast<float>(n);
  Floats squares = Zero();
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats d = KeepUsed(lanes, lanes.Load(x + i) - Set(mean), Zero());
    squares = Fma(d, d, squares);
  });
  const float inverse = 1.0F / std::sqrt(Sum(squares) / static_cast<float>(n) + epsilon);
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats normal = (lanes.Load(x + i) - Set(mean)) * Set(inverse);
    lanes.Store(y + i, Fma(normal, lanes.Load(gamma + i), lanes.Load(beta + i)));
  });
  if (statistics != nullptr) {
    statistics[0] = mean;
    statistics[1] = inverse;
  }
}

// dx = inverse * (g - mean(g) - normal * mean(g * normal)) with g = dy * gamma.
inline void NormBackwardInputRow(const float* dy, const float* x, const float* gamma,
                                 const float* statistics, int64_t n, float* dx, bool accumulate) {
  const Floats mean = Set(statistics[0]), inverse = Set(statistics[1]);
  Floats sum = Zero(), product = Zero();
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats g = lanes.Load(dy + i) * lanes.Load(gamma + i);
    sum = sum + g;
    product = Fma(g, (lanes.Load(x + i) - mean) * inverse, product);
  });
  const Floats mean_g = Set(Sum(sum) / static_cast<float>(n));
  const Floats mean_product = Set(Sum(product) / static_cast<float>(n));
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats g = lanes.Load(dy + i) * lanes.Load(gamma + i);
    const Floats normal = (lanes.Load(x + i) - mean) * inverse;
    Floats d = NegatedFma(normal, mean_product, g - mean_g) * inverse;
    if (accumulate) d = d + lanes.Load(dx + i);
    lanes.Store(dx + i, d);
  });
}

// Adds kRows rows to the gradients of gamma and beta, one after the other.
template <int kRows>
inline void NormBackwardWeightRows(const NormRows& r, int64_t first, float* dgamma, float* dbeta) {
  const float* dy = r.dy + first * r.dy_stride;
  const float* x = r.x + first * r.x_stride;
  const float* statistics = r.statistics + first * r.statistics_stride;
  ForLanes(r.columns, [&](int64_t i, auto lanes) {
    Floats gamma = lanes.Load(dgamma + i), beta = lanes.Load(dbeta + i);
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      const Floats mean = Set(statistics[row * r.statistics_stride]);
      const Floats inverse = Set(statistics[row * r.statistics_stride + 1]);
      const Floats d = lanes.Load(dy + row * r.dy_stride + i);
      gamma = Fma(d, (lanes.Load(x + row * r.x_stride + i) - mean) * inverse, gamma);
      beta = beta + d;
    }
    lanes.Store(dgamma + i, gamma);
    lanes.Store(dbeta + i, beta);
  });
}

inline void NormBackwardWeight(const NormRows& r, float* dgamma, float* dbeta) {
  int64_t row = 0;
  for (; row + 8 <= r.rows; row += 8) NormBackwardWeightRows<8>(r, row, dgamma, dbeta);
  for (; row < r.rows; ++row) NormBackwardWeightRows<1>(r, row, dgamma, dbeta);
}

}  // namespace heed::HEED_ISA
