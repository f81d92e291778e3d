#include "data/batch_builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "text/piece_list.h"
#include "util/check.h"

namespace heed {
namespace {

// Sampled segmentations draw from streams of their own: the seed and sentence give the key, the
// epoch, side and turn the rest.
RandomStream StreamOf(uint64_t seed, int64_t sentence, int64_t epoch, uint32_t side_and_turn) {
  const uint64_t key = seed + static_cast<uint64_t>(sentence + 1) * uint64_t{0x9E3779B97F4A7C15};
  return {key, static_cast<uint32_t>(epoch), side_and_turn};
}

void CheckIds(std::span<const int32_t> ids, const Tokenizer& tokenizer) {
  for (const int32_t id : ids) {
    HEED_CHECK(id >= 0 && id < tokenizer.size(), "id {} of a vocabulary of {}", id,
               tokenizer.size());
  }
}

}  // namespace

BatchBuilder::BatchBuilder(std::vector<const TokenShard*> shards, const Options& options)
    : shards_(std::move(shards)), options_(options) {
  int64_t first = 0;
  for (const TokenShard* shard : shards_) {
    HEED_CHECK(!options_.sampling || shard->has_text(), "sampling from a shard without text");
    first_sentences_.push_back(first);
    first += shard->size();
  }
}

int64_t BatchBuilder::SentenceId(const PlannedSentence& sentence) const {
  return first_sentences_[static_cast<size_t>(sentence.corpus)] + sentence.index;
}

void BatchBuilder::Build(std::span<const PlannedSentence> sentences, int64_t epoch, Batch* batch) {
  Collect(sentences, epoch, Which::kSource);
  Collect(sentences, epoch, Which::kTarget);
  SortByLength(sentences.size());
  FillSource(batch);
  FillTarget(batch);
  batch->sentence_ids.clear();
  for (const size_t i : order_) batch->sentence_ids.push_back(SentenceId(sentences[i]));
}

void BatchBuilder::Collect(std::span<const PlannedSentence> sentences, int64_t epoch, Which which) {
  const bool is_source = which == Which::kSource;
  Side& side = is_source ? source_ : target_;
  side.ids.clear();
  side.starts.assign(1, 0);
  const auto stored_length = [&](const PlannedSentence& sentence) -> int64_t {
    const auto entries = shards_[static_cast<size_t>(sentence.corpus)]->entries();
    const ShardEntry& entry = entries[static_cast<size_t>(sentence.index)];
    return (is_source ? entry.source_tokens : entry.target_tokens) + int64_t{1};
  };
  int64_t room = 0;  // tokens by which the samples may be longer than what is stored
  if (options_.sampling) {
    const BatchLimits& limits = options_.sampling->limits;
    room = is_source ? limits.source_tokens : limits.target_tokens;
    for (const PlannedSentence& sentence : sentences) room -= stored_length(sentence);
  }
  for (const PlannedSentence& sentence : sentences) {
    const TokenShard& shard = *shards_[static_cast<size_t>(sentence.corpus)];
    bool is_sampled = false;
    if (options_.sampling) {
      Sample(sentence, epoch, which);
      const auto length = static_cast<int64_t>(sampled_.size()) + 1;
      const int64_t growth = length - stored_length(sentence);
      is_sampled = growth <= room && length <= options_.sampling->longest_sentence;
      if (is_sampled) room -= growth;
    }
    if (is_sampled) {
      side.ids.insert(side.ids.end(), sampled_.begin(), sampled_.end());
    } else if (is_source) {
      shard.AppendSourceIds(sentence.index, &side.ids);
    } else {
      shard.AppendTargetIds(sentence.index, &side.ids);
    }
    side.starts.push_back(static_cast<int64_t>(side.ids.size()));
  }
  CheckIds(side.ids, is_source ? *options_.source_tokenizer : *options_.target_tokenizer);
}

// Fills sampled_.
void BatchBuilder::Sample(const PlannedSentence& sentence, int64_t epoch, Which which) {
  const TokenShard& shard = *shards_[static_cast<size_t>(sentence.corpus)];
  const bool is_source = which == Which::kSource;
  const Tokenizer& tokenizer = is_source ? *options_.source_tokenizer : *options_.target_tokenizer;
  const std::string_view text =
      is_source ? shard.source_text(sentence.index) : shard.target_text(sentence.index);
  const auto side_and_turn =
      2 * static_cast<uint32_t>(sentence.turn) + static_cast<uint32_t>(which);
  const RandomStream stream =
      StreamOf(options_.sampling->seed, SentenceId(sentence), epoch, side_and_turn);
  tokenizer.EncodeSampled(text, options_.sampling->subwords, stream, &sampled_);
}

// Fills order_: longest target first, then longest source, then the planner's order.
void BatchBuilder::SortByLength(size_t num_sentences) {
  order_.resize(num_sentences);
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
    return std::pair(target_.length(a), source_.length(a)) >
           std::pair(target_.length(b), source_.length(b));
  });
}

void BatchBuilder::FillSource(Batch* batch) {
  lengths_.clear();
  batch->source_ids.clear();
  for (const size_t i : order_) {
    const auto begin = source_.ids.begin() + source_.starts[i];
    batch->source_ids.insert(batch->source_ids.end(), begin, begin + source_.length(i));
    const bool ends =
        EndsSource(*options_.source_tokenizer, static_cast<size_t>(source_.length(i)));
    if (ends) batch->source_ids.push_back(options_.source_tokenizer->eos_id());
    lengths_.push_back(static_cast<int32_t>(source_.length(i)) + (ends ? 1 : 0));
  }
  batch->source = SequenceLayout::FromLengths(lengths_);
}

void BatchBuilder::FillTarget(Batch* batch) {
  lengths_.clear();
  batch->target_inputs.clear();
  batch->target_labels.clear();
  for (const size_t i : order_) {
    const auto begin = target_.ids.begin() + target_.starts[i];
    const auto end = begin + target_.length(i);
    batch->target_inputs.push_back(options_.start_id);
    batch->target_inputs.insert(batch->target_inputs.end(), begin, end);
    batch->target_labels.insert(batch->target_labels.end(), begin, end);
    batch->target_labels.push_back(options_.target_tokenizer->eos_id());
    lengths_.push_back(static_cast<int32_t>(target_.length(i)) + 1);
  }
  batch->target = SequenceLayout::FromLengths(lengths_);
}

}  // namespace heed
