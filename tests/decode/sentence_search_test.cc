#include "decode/sentence_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "decode/coverage.h"

namespace heed {
namespace {

using testing::ElementsAre;

DecodingOptions Options() {
  DecodingOptions options;
  options.beam = 2;
  options.length_penalty.kind = LengthPenaltyKind::kNone;
  return options;
}

TEST(SentenceSearch, EndMarksCountOnlyAmongTheBestOfTheBeam) {
  const DecodingOptions options = Options();
  SentenceSearch search(options, 0, 4, {});
  search.Advance(std::vector<Candidate>{{0, 5, -1, -1}, {0, 6, -2, -2}, {0, 0, -3, -3}});
  EXPECT_TRUE(search.Result(2, true).empty());  // the end mark was third
  EXPECT_EQ(search.running().size(), 2U);
  search.Advance(std::vector<Candidate>{{1, 0, -1, -3}, {0, 7, -2.5, -3.5}, {0, 8, -3, -4}});
  ASSERT_EQ(search.Result(2, true).size(), 1U);
  EXPECT_THAT(search.Result(2, true)[0].tokens, ElementsAre(6, 0));
  EXPECT_FALSE(search.done());
}

TEST(SentenceSearch, EndsWhenNothingRunningCanEnterTheFinished) {
  const DecodingOptions options = Options();
  SentenceSearch search(options, 0, 4, {});
  search.Advance(std::vector<Candidate>{{0, 0, -1, -1}, {0, 6, -1.5, -1.5}, {0, 7, -1.6, -1.6}});
  search.Advance(std::vector<Candidate>{{0, 0, -0.1, -1.6}, {1, 8, -3, -4.6}});
  EXPECT_TRUE(search.done());
  const auto result = search.Result(2, true);
  EXPECT_THAT(result[0].tokens, ElementsAre(0));
  EXPECT_THAT(result[1].tokens, ElementsAre(6, 0));
}

TEST(SentenceSearch, ForcesPrefixAndThenTheEndAtTheLongestLength) {
  const DecodingOptions options = Options();
  SentenceSearch search(options, 0, 1, {9});
  EXPECT_EQ(search.ForcedToken(), 9);
  search.Advance(std::vector<Candidate>{{0, 9, -1, -1}});
  EXPECT_EQ(search.ForcedToken(), 0);
  search.Advance(std::vector<Candidate>{{0, 0, -1, -2}});
  EXPECT_TRUE(search.done());
  EXPECT_TRUE(search.Result(1, true)[0].was_ended);
}

TEST(SentenceSearch, WhatTheModelEndsWasNotEnded) {
  const DecodingOptions options = Options();
  SentenceSearch search(options, 0, 2, {});
  search.Advance(std::vector<Candidate>{{0, 9, -1, -1}});
  search.Advance(std::vector<Candidate>{{0, 0, -1, -2}, {0, 8, -2, -3}});
  search.Advance(std::vector<Candidate>{{0, 0, -1, -4}});
  const auto result = search.Result(2, true);
  ASSERT_EQ(result.size(), 2U);
  EXPECT_FALSE(result[0].was_ended);
  EXPECT_TRUE(result[1].was_ended);
}

// Hand computation of Wu et al. 2016, equation 14.
TEST(CoveragePenalty, SumsTheLogarithmsOfAttentionBelowOne) {
  EXPECT_DOUBLE_EQ(CoveragePenalty(0.5, std::vector<double>{0.25, 1, 1.75, 0.5}),
                   0.5 * (std::log(0.25) + std::log(0.5)));
  EXPECT_EQ(CoveragePenalty(0.5, std::vector<double>{1, 2}), 0);
  EXPECT_TRUE(std::isfinite(CoveragePenalty(0.5, std::vector<double>{0})));
}

TEST(SentenceSearch, CoverageGoesWithTheHypothesisAndRanksFinishedOnes) {
  DecodingOptions options = Options();
  options.coverage_penalty = 1;
  SentenceSearch search(options, 0, 4, {});
  search.AddAttention(0, std::vector<double>{0.5, 0.25});
  search.Advance(std::vector<Candidate>{{0, 5, -1, -1}, {0, 6, -2, -2}});
  search.AddAttention(0, std::vector<double>{0.5, 0.25});   // of ... 5: 1, 0.5
  search.AddAttention(1, std::vector<double>{0.25, 0.75});  // of ... 6: 0.75, 1
  search.Advance(std::vector<Candidate>{{0, 0, -1, -2}, {1, 0, -0.1, -2.1}, {1, 7, -1, -3}});
  const auto result = search.Result(2, true);
  ASSERT_EQ(result.size(), 2U);
  EXPECT_THAT(result[0].tokens, ElementsAre(6, 0));
  EXPECT_DOUBLE_EQ(result[0].score, -2.1 + std::log(0.75));
  EXPECT_DOUBLE_EQ(result[1].score, -2 + std::log(0.5));
}

}  // namespace
}  // namespace heed
