// Batches that hold every pair of a shard exactly once, for validation and scoring.
#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"
#include "data/token_shard.h"
#include "text/tokenizer.h"

namespace heed {

struct EvaluationLimits {
  int64_t tokens = 0;     // on each side of a batch
  int64_t sentences = 0;  // in a batch
};

// All batches at once, longest sentences first. A sentence that is longer than the limit has a
// batch of its own. `sentence_ids` are indices of the shard; `start_id` is the model's
// start_token().
std::vector<Batch> EvaluationBatches(const TokenShard& shard, const Tokenizer& source_tokenizer,
                                     const Tokenizer& target_tokenizer, int32_t start_id,
                                     const EvaluationLimits& limits);

}  // namespace heed
