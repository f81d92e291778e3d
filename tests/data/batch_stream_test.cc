#include "data/batch_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/data/sample_recipe.h"
#include "util/check.h"

namespace heed {
namespace {

class BatchStreamTest : public testing::Test {
 protected:
  const PreparedData& Prepare() {
    if (!data_) data_ = PrepareData(recipe_, sample_.work(), pool_);
    return *data_;
  }
  BatchStream Stream(const DataPosition& start) {
    return {recipe_, Prepare(), kDecoderStartId, start};
  }

  SampleRecipe sample_{300};
  Recipe& recipe_ = sample_.recipe;
  ThreadPool pool_{2};
  std::optional<PreparedData> data_;
};

void ExpectEqual(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.source_ids, b.source_ids);
  EXPECT_EQ(a.target_inputs, b.target_inputs);
  EXPECT_EQ(a.target_labels, b.target_labels);
  EXPECT_EQ(a.sentence_ids, b.sentence_ids);
  EXPECT_EQ(a.after, b.after);
}

TEST_F(BatchStreamTest, AnEpochHoldsEverySentenceWithinTheLimits) {
  const BatchLimits limits = TrainingLimits(recipe_, Prepare());
  EXPECT_EQ(limits.target_tokens, 300);
  EXPECT_EQ(limits.sentences, 300);
  EXPECT_GE(limits.source_tokens, 330);
  EXPECT_EQ(PlanningLimits(recipe_, Prepare()), limits);
  BatchStream stream = Stream(FirstPosition(recipe_));
  std::vector<int64_t> seen;
  while (true) {
    const Batch& batch = stream.Next();
    EXPECT_LE(batch.num_source_tokens(), limits.source_tokens);
    EXPECT_LE(batch.num_target_tokens(), limits.target_tokens);
    seen.insert(seen.end(), batch.sentence_ids.begin(), batch.sentence_ids.end());
    if (batch.after.epoch == 2) break;
    EXPECT_EQ(batch.after.sentences(), static_cast<int64_t>(seen.size()));
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 300U);
  for (int64_t i = 0; i < 300; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST_F(BatchStreamTest, ResumingGivesTheSameBatchesWithAnyPrefetching) {
  for (const bool samples : {false, true}) {
    recipe_.vocabulary.sampling.alpha = samples ? std::optional<double>(0.1) : std::nullopt;
    data_.reset();
    recipe_.data.prefetch_batches = 8;
    BatchStream uninterrupted = Stream(FirstPosition(recipe_));
    std::vector<Batch> batches;
    for (int i = 0; i < 40; ++i) batches.push_back(uninterrupted.Next());
    EXPECT_GE(batches.back().after.epoch, 2);
    for (const size_t done : {size_t{1}, size_t{7}, batches.size() / 2, size_t{30}}) {
      recipe_.data.prefetch_batches = done % 2 == 0 ? 0 : 3;
      BatchStream resumed = Stream(batches[done - 1].after);
      for (size_t i = done; i < batches.size(); ++i) ExpectEqual(resumed.Next(), batches[i]);
    }
  }
}

TEST_F(BatchStreamTest, SampledBatchesKeepWithinTheLimits) {
  recipe_.vocabulary.type = VocabularyKind::kBpe;
  recipe_.vocabulary.sampling.dropout = 0.5;
  const BatchLimits limits = TrainingLimits(recipe_, Prepare());
  const BatchLimits planned = PlanningLimits(recipe_, Prepare());
  EXPECT_LT(planned.target_tokens, limits.target_tokens);
  BatchStream stream = Stream(FirstPosition(recipe_));
  int64_t tokens = 0, stored = 0, batches = 0;
  for (int64_t epoch = 1; epoch <= 2; ++batches) {
    const Batch& batch = stream.Next();
    EXPECT_LE(batch.num_source_tokens(), limits.source_tokens);
    EXPECT_LE(batch.num_target_tokens(), limits.target_tokens);
    EXPECT_LE(batch.target.longest(), recipe_.data.filters.max_length);
    tokens += batch.num_target_tokens();
    for (const int64_t id : batch.sentence_ids) {
      stored += Prepare().train[0].entries()[static_cast<size_t>(id)].target_tokens + 1;
    }
    epoch = batch.after.epoch;
  }
  EXPECT_GT(static_cast<double>(tokens), 1.2 * static_cast<double>(stored));
  EXPECT_GT(tokens, 240 * batches);  // of 300
}

TEST_F(BatchStreamTest, SampledSentencesStillSayTheSame) {
  recipe_.vocabulary.sampling.alpha = 0.05;
  BatchStream stream = Stream(FirstPosition(recipe_));
  for (int i = 0; i < 10; ++i) {
    const Batch& batch = stream.Next();
    for (int64_t j = 0; j < batch.num_sentences(); ++j) {
      const auto begin = batch.target_labels.begin() + batch.target.start(j);
      const std::vector<int32_t> ids(begin, begin + batch.target.length(j) - 1);
      EXPECT_EQ(Prepare().target_tokenizer().Decode(ids),
                SamplePair(batch.sentence_ids[static_cast<size_t>(j)]).second);
    }
  }
}

TEST_F(BatchStreamTest, TheSeedOfTheOrderMayBeGiven) {
  recipe_.seed = 3;
  EXPECT_EQ(FirstPosition(recipe_).seed, 3U);
  recipe_.data.shuffle_seed = 4;
  EXPECT_EQ(FirstPosition(recipe_).seed, 4U);
}

TEST_F(BatchStreamTest, LongSourcesRaiseTheirLimit) {
  Prepare();
  data_->report.train[0].source.tokens = 3 * data_->report.train[0].target.tokens;
  EXPECT_NEAR(static_cast<double>(TrainingLimits(recipe_, *data_).source_tokens), 300 * 3 * 1.1, 2);
  recipe_.training.batch_sentences = 17;
  EXPECT_EQ(TrainingLimits(recipe_, *data_).sentences, 17);
}

TEST_F(BatchStreamTest, BatchesThatAreTooSmallAreAUserError) {
  recipe_.training.batch_tokens = 5;
  EXPECT_THROW(Stream(FirstPosition(recipe_)), UserError);
}

}  // namespace
}  // namespace heed
