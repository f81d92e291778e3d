// Pieces of softmax, and runs of arithmetic that attention, loss and embeddings share.
#pragma once

#include <cmath>

#include "backend/cpu/kernels/math.h"

namespace heed::HEED_ISA {

inline float LargerOf(float a, float b) {
  return a > b ? a : b;
}

inline void FillRun(float* y, int64_t n, float value) {
  ForLanes(n, [&](int64_t i, auto lanes) { lanes.Store(y + i, Set(value)); });
}
inline void FillRange(float* y, int64_t begin, int64_t end, float value) {
  for (int64_t i = begin; i < end; ++i) y[i] = value;
}

// e^x by the same steps as in vectors.
inline float ExpOf(float x) {
  float lanes[kLanes];
  Store(lanes, Exp(Set(x)));
  return lanes[0];
}

// The largest of the first n elements, read in whole vectors: what follows must be -infinity.
inline Floats MaxOfVectors(const float* x, int64_t n) {
  Floats largest = Load(x);
  for (int64_t i = kLanes; i < n; i += kLanes) largest = Max(largest, Load(x + i));
  return largest;
}

// x = e^(x - shift) over whole vectors; returns the sum.
inline float ExpAndSumVectors(float* x, int64_t n, float shift) {
  Floats sum = Zero();
  for (int64_t i = 0; i < n; i += kLanes) {
    const Floats e = Exp(Load(x + i) - Set(shift));
    sum = sum + e;
    Store(x + i, e);
  }
  return Sum(sum);
}

inline Floats MaxOfRun(const float* x, int64_t n) {
  Floats largest = Set(-INFINITY);
  ForLanes(n, [&](int64_t i, auto lanes) {
    largest = Max(largest, KeepUsed(lanes, lanes.Load(x + i), Set(-INFINITY)));
  });
  return largest;
}

inline Floats DotLanes(const float* x, const float* y, int64_t n) {
  Floats sum = Zero();
  ForLanes(n, [&](int64_t i, auto lanes) { sum = Fma(lanes.Load(x + i), lanes.Load(y + i), sum); });
  return sum;
}
inline float DotRun(const float* x, const float* y, int64_t n) {
  return Sum(DotLanes(x, y, n));
}

// y = scale * x, or y += scale * x.
inline void ScaledRun(const float* x, float scale, int64_t n, float* y, bool accumulate) {
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats v = lanes.Load(x + i);
    lanes.Store(y + i, accumulate ? Fma(v, Set(scale), lanes.Load(y + i)) : v * Set(scale));
  });
}

}  // namespace heed::HEED_ISA
