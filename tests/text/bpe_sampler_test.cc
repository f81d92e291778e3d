#include "text/bpe_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/text/small_table.h"

namespace heed {
namespace {

using testing::ElementsAre;

// "bc" merges before "ab", then "abc". Ids 4 to 9; characters come after the merges.
PieceTable Table(bool byte_fallback = true) {
  return PieceTable(
      SmallPieces(SubwordKind::kBpe, byte_fallback,
                  {{"bc", 0}, {"ab", -1}, {"abc", -2}, {"a", -3}, {"b", -4}, {"c", -5}}));
}

TEST(BpeSampler, WithoutDropoutMergesByRank) {
  EXPECT_THAT(SampleBpe(Table(), "abc", 0, {}), ElementsAre(6));
  EXPECT_THAT(SampleBpe(Table(), "ab", 0, {}), ElementsAre(5));
  EXPECT_THAT(SampleBpe(Table(), "bcab", 0, {}), ElementsAre(4, 5));
  EXPECT_THAT(SampleBpe(Table(), "bbcc", 0, {}), ElementsAre(8, 4, 9));
  EXPECT_THAT(SampleBpe(Table(), "", 0, {}), ElementsAre());
}

TEST(BpeSampler, DropoutOneGivesCharacters) {
  EXPECT_THAT(SampleBpe(Table(), "abcab", 1, {}), ElementsAre(7, 8, 9, 7, 8));
}

TEST(BpeSampler, FrequenciesAreThoseOfTheWalk) {
  // With dropout p, "bc" merges unless dropped; then "abc" is due once. If "bc" was dropped, "ab"
  // is due, and after it "abc".
  const double p = 0.3, q = 0.7;
  const std::map<std::vector<int32_t>, double> expected = {
      {{6}, q * q + p * q * q}, {{7, 4}, q * p}, {{5, 9}, p * q * p}, {{7, 8, 9}, p * p}};
  std::map<std::vector<int32_t>, int> counts;
  constexpr int kSamples = 20000;
  const PieceTable table = Table();
  for (uint32_t i = 0; i < kSamples; ++i)
    ++counts[SampleBpe(table, "abc", p, {.seed = 5, .update = i})];
  for (const auto& [ids, probability] : expected) {
    EXPECT_NEAR(counts[ids] / static_cast<double>(kSamples), probability,
                4 * std::sqrt(probability * (1 - probability) / kSamples));
  }
  EXPECT_EQ(counts.size(), expected.size());
}

TEST(BpeSampler, TheStreamDecidesTheSample) {
  const PieceTable table = Table();
  std::string text;
  for (int i = 0; i < 50; ++i) text += "abcab";
  const auto sample = SampleBpe(table, text, 0.5, {.seed = 1, .update = 2, .op = 3});
  EXPECT_EQ(SampleBpe(table, text, 0.5, {.seed = 1, .update = 2, .op = 3}), sample);
  EXPECT_NE(SampleBpe(table, text, 0.5, {.seed = 1, .update = 3, .op = 3}), sample);
}

TEST(BpeSampler, UserSymbolsAreNeitherSplitNorMerged) {
  EXPECT_THAT(SampleBpe(Table(), "<x>bc<x>yc", 0, {}), ElementsAre(2, 4, 3, 9));
  EXPECT_THAT(SampleBpe(Table(), "<x>bc", 1, {}), ElementsAre(2, 8, 9));
}

TEST(BpeSampler, CharactersWithoutPiecesAreBytesOrUnknown) {
  EXPECT_THAT(SampleBpe(Table(), "c\xC3\xA4z", 0, {}),
              ElementsAre(9, 10 + 0xC3, 10 + 0xA4, 10 + 'z'));
  EXPECT_THAT(SampleBpe(Table(false), "c\xC3\xA4zc", 0, {}), ElementsAre(9, 1, 9));
}

}  // namespace
}  // namespace heed
