// Token-by-token decoding of a Transformer with cached keys and values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/transformer/transformer.h"

namespace heed {

// Each step writes the keys and values of its hypotheses to fresh cache rows and never moves them;
// a table of ancestors says which rows a hypothesis looks back at. Reordering a beam costs a few
// integers instead of a copy of the cache.
class TransformerDecodingSession final : public DecodingSession {
 public:
  TransformerDecodingSession(const Transformer& model, Context& ctx,
                             std::span<const int32_t> source_ids, const SequenceLayout& sources,
                             const DecodingPlan& plan);

  DecodingStep Step(Context& ctx, std::span<const int32_t> tokens, std::span<const int32_t> parents,
                    std::span<const int32_t> sentences) override;

 private:
  void ExtendHistory(std::span<const int32_t> parents, int64_t num_hypotheses);
  // Hypotheses grouped by sentence, and those sentences' rows of the memory.
  struct Groups {
    SequenceLayout hypotheses, sources;
  };
  Groups GroupBySentence(std::span<const int32_t> sentences) const;

  const Transformer& model_;
  const SequenceLayout& sources_;
  DecodingPlan plan_;
  std::vector<Tensor> memory_keys_values_;  // per layer: [source tokens, 2 model]
  std::vector<Tensor> caches_;              // per layer: [max_steps * max_hypotheses, 2 model]
  int64_t step_ = 0;
  int64_t next_row_ = 0;          // of the caches
  std::vector<int32_t> history_;  // [hypotheses, step_]
  std::vector<int32_t> previous_history_;
};

}  // namespace heed
