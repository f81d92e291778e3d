#include "data/evaluation_batches.h"

#include <algorithm>
#include <numeric>

#include "data/batch_builder.h"
#include "util/check.h"

namespace heed {
namespace {

int64_t LongerSide(const ShardEntry& pair) {
  return int64_t{std::max(pair.source_tokens, pair.target_tokens)} + 1;
}

}  // namespace

std::vector<Batch> EvaluationBatches(const TokenShard& shard, const Tokenizer& source_tokenizer,
                                     const Tokenizer& target_tokenizer, int32_t start_id,
                                     const EvaluationLimits& limits) {
  HEED_CHECK(limits.sentences > 0, "batches of {} sentences", limits.sentences);
  const auto entries = shard.entries();
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return LongerSide(entries[a]) > LongerSide(entries[b]);
  });
  BatchBuilder builder({&shard}, {&source_tokenizer, &target_tokenizer, start_id, std::nullopt});
  std::vector<Batch> batches;
  std::vector<PlannedSentence> sentences;
  int64_t source_tokens = 0, target_tokens = 0;
  const auto finish = [&] {
    if (!sentences.empty()) builder.Build(sentences, 0, &batches.emplace_back());
    sentences.clear();
    source_tokens = target_tokens = 0;
  };
  for (const size_t i : order) {
    const int64_t source = int64_t{entries[i].source_tokens} + 1;
    const int64_t target = int64_t{entries[i].target_tokens} + 1;
    const bool fits = source_tokens + source <= limits.tokens &&
                      target_tokens + target <= limits.tokens &&
                      static_cast<int64_t>(sentences.size()) < limits.sentences;
    if (!fits) finish();
    sentences.push_back({0, static_cast<int64_t>(i), 0});
    source_tokens += source;
    target_tokens += target;
  }
  finish();
  return batches;
}

}  // namespace heed
