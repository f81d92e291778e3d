// Turns planned sentences into packed batches: ids with marks, in the batch's order (batch.h),
// optionally with a random segmentation of each sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/batch.h"
#include "data/batch_planner.h"
#include "data/token_shard.h"
#include "text/tokenizer.h"

namespace heed {

// Random segmentations at training time. The shards must have kept their text.
struct BatchSampling {
  SubwordSampling subwords;
  uint64_t seed = 0;
  int64_t longest_sentence = 0;  // tokens with end mark; a sample that is longer is not used
  BatchLimits limits;            // once they are reached, further sentences stay as stored
};

class BatchBuilder {
 public:
  struct Options {
    const Tokenizer* source_tokenizer = nullptr;  // both must outlive the builder
    const Tokenizer* target_tokenizer = nullptr;
    int32_t start_id = kDecoderStartId;  // first of target_inputs: the model's start_token()
    std::optional<BatchSampling> sampling;
  };

  // The shards, one for each corpus of the planner, must outlive the builder.
  BatchBuilder(std::vector<const TokenShard*> shards, const Options& options);

  // Replaces what `batch` holds; its memory is used again. `after` stays as it is. The result
  // depends on the arguments alone. With sampling, the batch keeps within the sampling's limits if
  // it does as stored.
  void Build(std::span<const PlannedSentence> sentences, int64_t epoch, Batch* batch);

  // What Batch::sentence_ids holds: counts through the corpora.
  int64_t SentenceId(const PlannedSentence& sentence) const;

 private:
  // One side of the sentences, packed in the planner's order without marks.
  struct Side {
    std::vector<int32_t> ids;
    std::vector<int64_t> starts;  // [sentences + 1]
    int64_t length(size_t i) const { return starts[i + 1] - starts[i]; }
  };
  enum class Which : uint32_t { kSource, kTarget };

  void Collect(std::span<const PlannedSentence> sentences, int64_t epoch, Which which);
  void Sample(const PlannedSentence& sentence, int64_t epoch, Which which);
  void SortByLength(size_t num_sentences);
  void FillSource(Batch* batch);
  void FillTarget(Batch* batch);

  std::vector<const TokenShard*> shards_;
  std::vector<int64_t> first_sentences_;  // of each shard
  Options options_;
  Side source_, target_;  // scratch
  std::vector<size_t> order_;
  std::vector<int32_t> lengths_, sampled_;
};

}  // namespace heed
