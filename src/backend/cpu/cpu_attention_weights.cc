// Attention weights for decoding: one task per sentence.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {
namespace {

int64_t VisibleKeys(const AttentionArguments& a, int64_t query, int64_t sentence) {
  const int64_t num_keys = a.keys->length(sentence);
  if (a.mask == AttentionMask::kNone) return num_keys;
  return std::clamp(query + 1 + num_keys - a.queries->length(sentence), int64_t{0}, num_keys);
}

}  // namespace

void CpuBackend::AttentionWeights(const AttentionArguments& a, MatrixView weights) {
  pool_.Run(a.queries->num_sentences(), [&](int64_t sentence, int thread) {
    float* scratch =
        scratch_[static_cast<size_t>(thread)].Floats(int64_t{a.keys->length(sentence)} + 8);
    for (int64_t i = 0; i < a.queries->length(sentence); ++i) {
      const int64_t row = a.queries->start(sentence) + i;
      const int64_t visible = VisibleKeys(a, i, sentence);
      kernels_.attention_weights({.q = a.q.Row<float>(row),
                                  .k = a.k.Row<float>(a.keys->start(sentence)),
                                  .k_stride = a.k.stride(),
                                  .num_keys = visible,
                                  .heads = a.heads,
                                  .width = a.q.columns() / a.heads,
                                  .scale = static_cast<float>(a.scale),
                                  .scratch = scratch},
                                 weights.Row<float>(row));
      kernels_.fill(weights.Row<float>(row) + visible, weights.columns - visible, 0.0F);
    }
  });
}

}  // namespace heed
