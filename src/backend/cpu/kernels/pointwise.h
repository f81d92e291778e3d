// Activations, gates, dropout, copies: contiguous runs of n elements.
#pragma once

#include "backend/cpu/kernels/math.h"
#include "backend/cpu/kernels/philox_lanes.h"
#include "backend/cpu/kernels/softmax.h"
#include "tensor/matrix_view.h"

namespace heed::HEED_ISA {

inline Floats Activate(Activation activation, Floats x) {
  Floats density;
  switch (activation) {
    case Activation::kRelu:
      return Max(Zero(), x);
    case Activation::kGelu:
      return x * NormalCdf(x, &density);
    case Activation::kSilu:
      return x * Sigmoid(x);
    case Activation::kNone:
      break;
  }
  return x;
}

inline Floats ActivationSlope(Activation activation, Floats x) {
  Floats density;
  switch (activation) {
    case Activation::kRelu:
      return And(Less(Zero(), x), Set(1.0F));
    case Activation::kGelu: {
      const Floats cdf = NormalCdf(x, &density);
      return Fma(x, density, cdf);
    }
    case Activation::kSilu: {
      const Floats s = Sigmoid(x);
      return s * Fma(x, Set(1.0F) - s, Set(1.0F));
    }
    case Activation::kNone:
      break;
  }
  return Set(1.0F);
}

// Calls body with a constant, so that the loop inside it has no branches.
template <class Body>
inline void WithActivation(Activation activation, Body&& body) {
  switch (activation) {
    case Activation::kNone:
      return body(std::integral_constant<Activation, Activation::kNone>{});
    case Activation::kRelu:
      return body(std::integral_constant<Activation, Activation::kRelu>{});
    case Activation::kGelu:
      return body(std::integral_constant<Activation, Activation::kGelu>{});
    case Activation::kSilu:
      return body(std::integral_constant<Activation, Activation::kSilu>{});
  }
}

inline void AddRun(const float* x, int64_t n, float* y) {
  ForLanes(
      n, [&](int64_t i, auto lanes) { lanes.Store(y + i, lanes.Load(y + i) + lanes.Load(x + i)); });
}

inline void ActivationForwardRun(Activation activation, const float* x, int64_t n, float* y) {
  WithActivation(activation, [&](auto kind) {
    ForLanes(
        n, [&](int64_t i, auto lanes) { lanes.Store(y + i, Activate(kind(), lanes.Load(x + i))); });
  });
}

inline void ActivationBackwardRun(Activation activation, const float* x, const float* dy, int64_t n,
                                  float* dx, bool accumulate) {
  WithActivation(activation, [&](auto kind) {
    ForLanes(n, [&](int64_t i, auto lanes) {
      Floats d = lanes.Load(dy + i) * ActivationSlope(kind(), lanes.Load(x + i));
      if (accumulate) d = d + lanes.Load(dx + i);
      lanes.Store(dx + i, d);
    });
  });
}

// One row: y [n] from x [2 n].
inline void GatedForwardRow(Activation activation, const float* x, int64_t n, float* y) {
  WithActivation(activation, [&](auto kind) {
    ForLanes(n, [&](int64_t i, auto lanes) {
      lanes.Store(y + i, Activate(kind(), lanes.Load(x + i)) * lanes.Load(x + n + i));
    });
  });
}

inline void GatedBackwardRow(Activation activation, const float* x, const float* dy, int64_t n,
                             float* dx, bool accumulate) {
  WithActivation(activation, [&](auto kind) {
    ForLanes(n, [&](int64_t i, auto lanes) {
      const Floats gate = lanes.Load(x + i), d = lanes.Load(dy + i);
      Floats dgate = d * lanes.Load(x + n + i) * ActivationSlope(kind(), gate);
      Floats dvalue = d * Activate(kind(), gate);
      if (accumulate) {
        dgate = dgate + lanes.Load(dx + i);
        dvalue = dvalue + lanes.Load(dx + n + i);
      }
      lanes.Store(dx + i, dgate);
      lanes.Store(dx + n + i, dvalue);
    });
  });
}

// y = keep ? x / (1 - rate) : 0, plus `added` unless it is null. Element numbers start at `first`.
inline void DropoutRun(const float* x, const float* added, const DropoutKernelSpec& dropout,
                       uint64_t first, int64_t n, float* y) {
  if (dropout.threshold == 0) {
    ForLanes(n, [&](int64_t i, auto lanes) {
      Floats v = lanes.Load(x + i) * Set(dropout.scale);
      if (added != nullptr) v = v + lanes.Load(added + i);
      lanes.Store(y + i, v);
    });
    return;
  }
  alignas(64) uint32_t buffer[kRandomBuffer];
  for (int64_t begin = 0; begin < n; begin += kRandomChunk) {
    const int64_t count = n - begin < kRandomChunk ? n - begin : kRandomChunk;
    const uint32_t* bits =
        RandomWords(dropout.stream, first + static_cast<uint64_t>(begin), count, buffer);
    ForLanes(count, [&](int64_t i, auto lanes) {
      const Floats kept = KeepMask(bits + i, dropout.threshold);
      Floats v = And(kept, lanes.Load(x + begin + i) * Set(dropout.scale));
      if (added != nullptr) v = v + lanes.Load(added + begin + i);
      lanes.Store(y + begin + i, v);
    });
  }
}

}  // namespace heed::HEED_ISA
