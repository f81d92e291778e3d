#include "data/evaluation_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/data/letter_tokenizer.h"
#include "tests/util/temporary_directory.h"

namespace heed {
namespace {

using testing::ElementsAre;

std::vector<Batch> BatchesOf(const std::vector<std::pair<std::string, std::string>>& pairs,
                             const EvaluationLimits& limits) {
  const TemporaryDirectory directory;
  const LetterTokenizer tokenizer;
  return EvaluationBatches(LetterShard(directory / "shard", pairs), tokenizer, tokenizer, -1,
                           limits);
}

TEST(EvaluationBatches, EveryPairOnceWithinTheLimits) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (size_t i = 0; i < 100; ++i)
    pairs.emplace_back(std::string(i % 13, 'a'), std::string(i % 7, 'b'));
  const std::vector<Batch> batches = BatchesOf(pairs, {50, 8});
  std::vector<int64_t> seen;
  for (const Batch& batch : batches) {
    EXPECT_LE(batch.num_source_tokens(), 50);
    EXPECT_LE(batch.num_target_tokens(), 50);
    EXPECT_LE(batch.num_sentences(), 8);
    seen.insert(seen.end(), batch.sentence_ids.begin(), batch.sentence_ids.end());
    for (int64_t i = 0; i < batch.num_sentences(); ++i) {
      const auto& pair = pairs[static_cast<size_t>(batch.sentence_ids[static_cast<size_t>(i)])];
      EXPECT_EQ(batch.source.length(i), static_cast<int32_t>(pair.first.size()) + 1);
      EXPECT_EQ(batch.target.length(i), static_cast<int32_t>(pair.second.size()) + 1);
    }
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 100U);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(seen[i], static_cast<int64_t>(i));
}

TEST(EvaluationBatches, LongSentencesStandAlone) {
  const std::vector<Batch> batches = BatchesOf(
      {{"a", "b"}, {std::string(30, 'a'), "b"}, {"a", std::string(20, 'b')}, {"", ""}}, {10, 10});
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_THAT(batches[0].sentence_ids, ElementsAre(1));
  EXPECT_THAT(batches[1].sentence_ids, ElementsAre(2));
  EXPECT_THAT(batches[2].sentence_ids, ElementsAre(0, 3));
}

TEST(EvaluationBatches, NoPairsNoBatches) {
  EXPECT_TRUE(BatchesOf({}, {10, 10}).empty());
}

}  // namespace
}  // namespace heed
