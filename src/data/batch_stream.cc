#include "data/batch_stream.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "util/check.h"

namespace heed {
namespace {

constexpr double kSourceSlack = 1.1;

SubwordSampling SamplingOf(const Recipe& recipe) {
  const SubwordSamplingOptions& options = recipe.vocabulary.sampling;
  return {.alpha = options.alpha.value_or(1), .nbest = options.nbest, .dropout = options.dropout};
}

// Tokens of a sampled segmentation for each stored one, on either side; at least 1.
struct Growth {
  double source = 1, target = 1;
};

Growth MeasureGrowth(const Recipe& recipe, const PreparedData& data) {
  constexpr int64_t kPairs = 2000;
  const SubwordSampling sampling = SamplingOf(recipe);
  const int64_t step = std::max<int64_t>(1, data.num_pairs() / kPairs);
  double stored_source = 1, stored_target = 1, sampled_source = 1, sampled_target = 1;
  int64_t number = 0;  // of the pair, over all corpora
  std::vector<int32_t> ids;
  for (const TokenShard& shard : data.train) {
    for (int64_t i = 0; i < shard.size(); ++i, ++number) {
      if (number % step != 0) continue;
      const ShardEntry& entry = shard.entries()[static_cast<size_t>(i)];
      const RandomStream stream{.seed = static_cast<uint64_t>(number)};
      stored_source += entry.source_tokens + 1;
      stored_target += entry.target_tokens + 1;
      data.source_tokenizer().EncodeSampled(shard.source_text(i), sampling, stream, &ids);
      sampled_source += static_cast<double>(ids.size() + 1);
      data.target_tokenizer().EncodeSampled(shard.target_text(i), sampling, stream, &ids);
      sampled_target += static_cast<double>(ids.size() + 1);
    }
  }
  return {std::max(1.0, sampled_source / stored_source),
          std::max(1.0, sampled_target / stored_target)};
}

std::vector<BatchPlanner::Corpus> PlannerCorpora(const PreparedData& data) {
  std::vector<BatchPlanner::Corpus> corpora;
  for (size_t i = 0; i < data.train.size(); ++i) {
    corpora.push_back({data.train[i].entries(), data.weights[i]});
  }
  return corpora;
}

std::vector<const TokenShard*> ShardsOf(const PreparedData& data) {
  std::vector<const TokenShard*> shards;
  for (const TokenShard& shard : data.train) shards.push_back(&shard);
  return shards;
}

BatchBuilder::Options BuilderOptions(const Recipe& recipe, const PreparedData& data,
                                     int32_t start_id) {
  BatchBuilder::Options options{&data.source_tokenizer(), &data.target_tokenizer(), start_id,
                                std::nullopt};
  if (recipe.vocabulary.sampling.IsOn()) {
    options.sampling = BatchSampling{.subwords = SamplingOf(recipe),
                                     .seed = static_cast<uint64_t>(recipe.seed),
                                     .longest_sentence = recipe.data.filters.max_length,
                                     .limits = TrainingLimits(recipe, data)};
  }
  return options;
}

}  // namespace

DataPosition FirstPosition(const Recipe& recipe) {
  return {.seed = static_cast<uint64_t>(recipe.data.shuffle_seed.value_or(recipe.seed))};
}

BatchLimits TrainingLimits(const Recipe& recipe, const PreparedData& data) {
  double source = 1, target = 1;
  for (size_t i = 0; i < data.report.train.size(); ++i) {
    source += data.weights[i] * static_cast<double>(data.report.train[i].source.tokens);
    target += data.weights[i] * static_cast<double>(data.report.train[i].target.tokens);
  }
  BatchLimits limits;
  limits.target_tokens = recipe.training.batch_tokens;
  limits.source_tokens = static_cast<int64_t>(std::ceil(
      static_cast<double>(limits.target_tokens) * std::max(1.0, source / target) * kSourceSlack));
  limits.sentences = recipe.training.batch_sentences.value_or(limits.target_tokens);
  return limits;
}

BatchLimits PlanningLimits(const Recipe& recipe, const PreparedData& data) {
  BatchLimits limits = TrainingLimits(recipe, data);
  if (!recipe.vocabulary.sampling.IsOn()) return limits;
  const Growth growth = MeasureGrowth(recipe, data);
  const auto shrink = [&](int64_t tokens, double factor) {
    const auto shrunk = static_cast<int64_t>(static_cast<double>(tokens) / factor);
    return std::max(shrunk, std::min(tokens, recipe.data.filters.max_length));
  };
  limits.source_tokens = shrink(limits.source_tokens, growth.source);
  limits.target_tokens = shrink(limits.target_tokens, growth.target);
  return limits;
}

BatchStream::BatchStream(const Recipe& recipe, const PreparedData& data, int32_t start_id,
                         const DataPosition& start)
    : planner_(PlannerCorpora(data), PlanningLimits(recipe, data), recipe.data.shuffle, start),
      builder_(ShardsOf(data), BuilderOptions(recipe, data, start_id)),
      prefetcher_([this](Batch* batch) { return Produce(batch); }, recipe.data.prefetch_batches) {}

bool BatchStream::Produce(Batch* batch) {
  sentences_.clear();
  for (const uint32_t item : planner_.Next()) sentences_.push_back(planner_.Resolve(item));
  builder_.Build(sentences_, planner_.epoch(), batch);
  batch->after = planner_.position();
  return true;
}

const Batch& BatchStream::Next() {
  HEED_CHECK(prefetcher_.Next(&batch_), "the stream has ended");
  return batch_;
}

}  // namespace heed
