#include "text/unigram_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/text/small_table.h"

namespace heed {
namespace {

using testing::ElementsAre;

// Ids 4 to 8.
PieceTable Table(bool byte_fallback = true) {
  return PieceTable(SmallPieces(SubwordKind::kUnigram, byte_fallback,
                                {{"a", -1}, {"b", -2}, {"c", -3}, {"ab", -2.5}, {"abc", -5}}));
}

// The score of each segmentation of "abc".
const std::map<std::vector<int32_t>, double> kSegmentations = {
    {{4, 5, 6}, -6}, {{7, 6}, -5.5}, {{8}, -5}};

TEST(UnigramSampler, FrequenciesFollowTheSmoothedProbabilities) {
  const PieceTable table = Table();
  constexpr int kSamples = 20000;
  for (const double alpha : {0.0, 0.5, 1.0, 3.0}) {
    std::map<std::vector<int32_t>, int> counts;
    for (uint32_t i = 0; i < kSamples; ++i) {
      ++counts[SampleUnigram(table, "abc", alpha, {.seed = 1, .update = i})];
    }
    double total = 0;
    for (const auto& [ids, score] : kSegmentations) total += std::exp(alpha * score);
    ASSERT_EQ(counts.size(), 3U);
    for (const auto& [ids, score] : kSegmentations) {
      const double expected = std::exp(alpha * score) / total;
      // Four standard deviations.
      EXPECT_NEAR(counts[ids] / static_cast<double>(kSamples), expected,
                  4 * std::sqrt(expected * (1 - expected) / kSamples))
          << "alpha " << alpha;
    }
  }
}

TEST(UnigramSampler, ALargeAlphaGivesTheBestSegmentation) {
  const PieceTable table = Table();
  for (uint32_t i = 0; i < 100; ++i) {
    EXPECT_THAT(SampleUnigram(table, "abcab", 1000, {.seed = 1, .update = i}), ElementsAre(8, 7));
  }
}

TEST(UnigramSampler, TheStreamDecidesTheSample) {
  const PieceTable table = Table();
  std::string text;
  for (int i = 0; i < 50; ++i) text += "abcab";
  const auto sample = SampleUnigram(table, text, 0.1, {.seed = 1, .update = 2, .op = 3});
  EXPECT_EQ(SampleUnigram(table, text, 0.1, {.seed = 1, .update = 2, .op = 3}), sample);
  EXPECT_NE(SampleUnigram(table, text, 0.1, {.seed = 1, .update = 2, .op = 4}), sample);
  EXPECT_NE(SampleUnigram(table, text, 0.1, {.seed = 2, .update = 2, .op = 3}), sample);
}

TEST(UnigramSampler, UserSymbolsAreNeverSplitAndBoundTheRest) {
  const PieceTable table = Table();
  for (uint32_t i = 0; i < 50; ++i) {
    const auto ids = SampleUnigram(table, "<x>c<x>yc", 0, {.seed = 1, .update = i});
    EXPECT_THAT(ids, ElementsAre(2, 6, 3, 6));
  }
}

TEST(UnigramSampler, CharactersWithoutPiecesAreBytesOrUnknown) {
  EXPECT_THAT(SampleUnigram(Table(), "c\xC3\xA4z", 1, {}),
              ElementsAre(6, 9 + 0xC3, 9 + 0xA4, 9 + 'z'));
  EXPECT_THAT(SampleUnigram(Table(false), "c\xC3\xA4zc", 1, {}), ElementsAre(6, 1, 6));
}

TEST(UnigramSampler, EmptyTextHasNoIds) {
  EXPECT_TRUE(SampleUnigram(Table(), "", 1, {}).empty());
}

}  // namespace
}  // namespace heed
