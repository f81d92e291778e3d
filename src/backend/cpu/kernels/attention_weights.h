// How much one query attends to each key, for decoding.
#pragma once

#include "backend/cpu/kernels/softmax.h"

namespace heed::HEED_ISA {

// weights [num_keys] = the mean of the heads' probabilities.
inline void AttentionWeightsRow(const AttentiveQuery& a, float* weights) {
  float* scores = a.scratch;
  const int64_t padded = (a.num_keys + kLanes - 1) / kLanes * kLanes;
  FillRun(weights, a.num_keys, 0.0F);
  for (int64_t head = 0; a.num_keys > 0 && head < a.heads; ++head) {
    const int64_t begin = head * a.width;
    for (int64_t key = 0; key < a.num_keys; ++key) {
      scores[key] = a.scale * DotRun(a.q + begin, a.k + key * a.k_stride + begin, a.width);
    }
    FillRange(scores, a.num_keys, padded, -INFINITY);
    const float largest = Largest(MaxOfVectors(scores, a.num_keys));
    const float sum = ExpAndSumVectors(scores, padded, largest);
    ScaledRun(scores, 1.0F / (sum * static_cast<float>(a.heads)), a.num_keys, weights, true);
  }
}

}  // namespace heed::HEED_ISA
