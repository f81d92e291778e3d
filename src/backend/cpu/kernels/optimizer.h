// Optimizer arithmetic on runs of flat buffers.
#pragma once

#include "backend/cpu/kernels/lanes.h"

namespace heed::HEED_ISA {

inline double SumOfSquaresRun(const float* x, int64_t n) {
  Doubles low = ZeroDoubles(), high = ZeroDoubles();
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats v = lanes.Load(x + i);
    low += Low(v) * Low(v);
    high += High(v) * High(v);
  });
  return Sum(low) + Sum(high);
}

inline void AdamRun(const AdamKernelSpec& s, const float* gradient, int64_t n, float* value,
                    float* first_moment, float* second_moment) {
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats old = lanes.Load(value + i);
    const Floats g = Fma(Set(s.l2), old, lanes.Load(gradient + i) * Set(s.gradient_factor));
    const Floats m = Fma(Set(s.beta1), lanes.Load(first_moment + i), Set(s.one_minus_beta1) * g);
    const Floats v =
        Fma(Set(s.beta2), lanes.Load(second_moment + i), Set(s.one_minus_beta2) * g * g);
    lanes.Store(first_moment + i, m);
    lanes.Store(second_moment + i, v);
    const Floats root = Fma(Sqrt(v), Set(s.inverse_correction), Set(s.epsilon));
    lanes.Store(value + i, NegatedFma(Set(s.step), m / root, old * Set(s.decay)));
  });
}

inline void MovingAverageRun(const float* value, float decay, int64_t n, float* average) {
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats old = lanes.Load(average + i);
    lanes.Store(average + i, Fma(Set(1.0F - decay), lanes.Load(value + i), old * Set(decay)));
  });
}

}  // namespace heed::HEED_ISA
