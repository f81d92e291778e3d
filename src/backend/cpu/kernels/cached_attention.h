// Attention of one new query over cached keys and values, for decoding.
#pragma once

#include "backend/cpu/kernels/softmax.h"

namespace heed::HEED_ISA {

// y = the sum of factors[t] * row t of v, columns [begin, begin + width), kVectors vectors at a
// time so that the sums stay in registers while the rows pass.
template <int kVectors, class Lanes>
inline void MixColumns(const CachedQuery& c, const float* factors, int64_t begin, float* y,
                       Lanes lanes) {
  Floats sums[kVectors] = {};
  for (int64_t t = 0; t < c.steps; ++t) {
    const float* v = c.v + c.history[t] * c.v_stride + begin;
    const Floats factor = Set(factors[t]);
#pragma GCC unroll 4
    for (int i = 0; i < kVectors; ++i) sums[i] = Fma(factor, lanes.Load(v + i * kLanes), sums[i]);
  }
  for (int i = 0; i < kVectors; ++i) lanes.Store(y + begin + i * kLanes, sums[i]);
}

inline void MixRows(const CachedQuery& c, const float* factors, int64_t begin, float* y) {
  const int64_t end = begin + c.width;
  int64_t column = begin;
  for (; column + 4 * kLanes <= end; column += 4 * kLanes) {
    MixColumns<4>(c, factors, column, y, AllLanes{});
  }
  for (; column + kLanes <= end; column += kLanes) {
    MixColumns<1>(c, factors, column, y, AllLanes{});
  }
  if (column < end) MixColumns<1>(c, factors, column, y, SomeLanes{end - column});
}

inline void CachedAttentionRow(const CachedQuery& c, float* y) {
  float* scores = c.scratch;
  const int64_t padded = (c.steps + kLanes - 1) / kLanes * kLanes;
  for (int64_t head = 0; head < c.heads; ++head) {
    const int64_t begin = head * c.width;
    for (int64_t t = 0; t < c.steps; ++t) {
      const float* k = c.k + c.history[t] * c.k_stride + begin;
      scores[t] = c.scale * Sum(DotLanes(c.q + begin, k, c.width));
    }
    FillRange(scores, c.steps, padded, -INFINITY);
    const float largest = Largest(MaxOfVectors(scores, c.steps));
    const float sum = ExpAndSumVectors(scores, padded, largest);
    MixRows(c, scores, begin, y);
    ScaledRun(y + begin, 1.0F / sum, c.width, y + begin, false);
  }
}

}  // namespace heed::HEED_ISA
