#include "metrics/chrf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;

using Lines = std::vector<std::string>;

double Score(const ChrfOptions& options, const std::string& hypothesis, const Lines& references) {
  return Chrf(options).SentenceScore(hypothesis, references).score;
}

// "abc" against "abd": 2 of 3, 1 of 2, 0 of 1; precision = recall = (2/3 + 1/2 + 0) / 3.
TEST(Chrf, AveragesOverTheOrdersThatBothSidesHave) {
  EXPECT_NEAR(Score({}, "abc", {"abd"}), 100 * (2.0 / 3 + 0.5) / 3, 1e-10);
  const Chrf chrf({.char_order = 3});
  const Lines hypotheses = {"abc"};
  const std::vector<Lines> references = {{"abd"}};
  EXPECT_THAT(chrf.Statistics(hypotheses, references).values,
              ElementsAre(3, 3, 2, 2, 2, 1, 1, 1, 0));
}

TEST(Chrf, EpsSmoothingAveragesOverAllOrders) {
  EXPECT_NEAR(Score({.eps_smoothing = true}, "abc", {"abd"}), 100 * (2.0 / 3 + 0.5) / 6, 1e-10);
}

// Precision 1, recall (2/4 + 1/3) / 2; F with beta 2 weighs recall four times.
TEST(Chrf, BetaWeighsRecall) {
  const double recall = (2.0 / 4 + 1.0 / 3) / 2;
  EXPECT_NEAR(Score({.char_order = 2}, "ab", {"ab cd"}), 100 * 5 * recall / (4 + recall), 1e-10);
  EXPECT_NEAR(Score({.char_order = 2, .beta = 1}, "ab", {"ab cd"}), 100 * 2 * recall / (1 + recall),
              1e-10);
}

TEST(Chrf, WhitespaceCountsOnlyOnRequest) {
  EXPECT_NEAR(Score({}, "a\u3000b", {"ab"}), 100, 1e-10);
  // Characters a, space, b against a, b: 2 of 3 and 2 of 2, bigrams 0 of 2 and 0 of 1.
  EXPECT_NEAR(Score({.whitespace = true}, "a b", {"ab"}),
              100 * 5 * (1.0 / 3) * 0.5 / (4 * (1.0 / 3) + 0.5), 1e-10);
}

TEST(Chrf, WordOrderTwoIsChrfPlusPlus) {
  const Chrf chrf({.word_order = 2});
  EXPECT_EQ(chrf.Name(), "chrF2++");
  EXPECT_EQ(chrf.SentenceScore("abc", Lines{"abd"}).Format(2, true),
            "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0 = 29.17");
}

TEST(Chrf, OnePunctuationCharacterPerWordIsSetApart) {
  const Chrf chrf({.char_order = 0, .word_order = 1});
  const Lines hypotheses = {"(hi) x!! -"};
  const std::vector<Lines> references = {{"(hi x! -"}};
  // (hi ) x! ! -   against   ( hi x ! -   have ! and - in common.
  EXPECT_THAT(chrf.Statistics(hypotheses, references).values, ElementsAre(5, 5, 2));
}

TEST(Chrf, BestReferenceCounts) {
  EXPECT_NEAR(Score({}, "Hund", {"Katze", "Hund", "Hunde"}), 100, 1e-10);
}

TEST(Chrf, OrdersWithoutReferenceNgramsAreNotHeldAgainstTheHypothesis) {
  EXPECT_NEAR(Score({.char_order = 4}, "abcd", {"ab"}),
              100 * 5 * ((2.0 / 4 + 1.0 / 3) / 2) / (4 * ((2.0 / 4 + 1.0 / 3) / 2) + 1), 1e-10);
}

TEST(Chrf, EmptyTextScoresZero) {
  EXPECT_EQ(Score({}, "", {"abc"}), 0);
  EXPECT_EQ(Score({}, "abc", {""}), 0);
  EXPECT_EQ(Score({}, "", {""}), 0);
  EXPECT_NEAR(Score({.eps_smoothing = true}, "", {""}), 0, 1e-10);
}

TEST(Chrf, LowercaseIgnoresCase) {
  EXPECT_LT(Score({}, "ÜBER", {"über"}), 1);
  EXPECT_NEAR(Score({.lowercase = true}, "ÜBER", {"über"}), 100, 1e-10);
  EXPECT_EQ(Chrf({.lowercase = true, .whitespace = true, .eps_smoothing = true}).Signature({}),
            "nrefs:1|case:lc|eff:no|nc:6|nw:0|space:yes|version:2.6.0");
}

TEST(Chrf, ResampleScoreIsFloat32UnlessNothingMatches) {
  const std::vector<float> none = {3, 3, 0};
  const std::vector<float> some = {3, 7, 2};
  const std::vector<float> empty = {0, 0, 0};
  const Chrf chrf({.char_order = 1});
  EXPECT_FALSE(chrf.ScoreResample(none).is_float32);
  EXPECT_EQ(chrf.ScoreResample(none).value, 0);
  EXPECT_TRUE(chrf.ScoreResample(some).is_float32);
  EXPECT_NEAR(chrf.ScoreResample(some).value,
              100 * 5 * (2.0 / 3) * (2.0 / 7) / (4 * (2.0 / 3) + 2.0 / 7), 1e-4);
  const Chrf smoothed({.char_order = 1, .eps_smoothing = true});
  EXPECT_TRUE(smoothed.ScoreResample(none).is_float32);
  EXPECT_FALSE(smoothed.ScoreResample(empty).is_float32);
}

TEST(Chrf, OrdersMustNotBothBeZero) {
  EXPECT_THROW(Chrf({.char_order = 0}), UserError);
  EXPECT_THROW(Chrf({.char_order = -1, .word_order = 2}), UserError);
  EXPECT_THROW(Chrf({.word_order = -1}), UserError);
}

}  // namespace
}  // namespace heed
