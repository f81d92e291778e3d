// Layer normalisation (Ba et al. 2016) of one row.
#pragma once

#include <cmath>

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

// Adds one row to the gradients of gamma and beta, or to a slice of them.
inline void NormBackwardWeightRow(const float* dy, const float* x, const float* statistics,
                                  int64_t n, float* dgamma, float* dbeta) {
  const Floats mean = Set(statistics[0]), inverse = Set(statistics[1]);
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats d = lanes.Load(dy + i);
    const Floats normal = (lanes.Load(x + i) - mean) * inverse;
    lanes.Store(dgamma + i, Fma(d, normal, lanes.Load(dgamma + i)));
    lanes.Store(dbeta + i, lanes.Load(dbeta + i) + d);
  });
}

}  // namespace heed::HEED_ISA
