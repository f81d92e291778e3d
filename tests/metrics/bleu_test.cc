#include "metrics/bleu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Lines = std::vector<std::string>;

MetricScore Score(const BleuOptions& options, const Lines& hypotheses,
                  const std::vector<Lines>& references) {
  return Bleu(options).CorpusScore(hypotheses, references);
}

TEST(Bleu, EqualTextScoresHundred) {
  const MetricScore score = Score({}, {"Ein Hund läuft im Park."}, {{"Ein Hund läuft im Park."}});
  EXPECT_NEAR(score.score, 100, 1e-10);
  EXPECT_EQ(score.Format(1, true),
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 100.0 "
            "100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)");
}

// "the cat sat on mat": matches 5 of 5, 3 of 4, 2 of 3, 1 of 2; length 5 against 6.
TEST(Bleu, ShortHypothesisPaysTheBrevityPenalty) {
  const MetricScore score = Score({}, {"the cat sat on mat"}, {{"the cat sat on the mat"}});
  const double expected = 100 * std::exp(1 - 6.0 / 5) * std::pow(1.0 * 3 / 4 * 2 / 3 * 1 / 2, 0.25);
  EXPECT_NEAR(score.score, expected, 1e-10);
  EXPECT_EQ(score.verbose,
            "100.0/75.0/66.7/50.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)");
}

TEST(Bleu, CorpusPoolsCountsBeforeDividing) {
  const Bleu bleu({.tokenizer = BleuTokenizer::kNone, .max_order = 1});
  const Lines hypotheses = {"a b", "x"};
  const std::vector<Lines> references = {{"a b", "y"}};
  EXPECT_NEAR(bleu.CorpusScore(hypotheses, references).score, 100.0 * 2 / 3, 1e-10);
  EXPECT_THAT(bleu.Statistics(hypotheses, references).values, ElementsAre(2, 2, 2, 2, 1, 1, 0, 1));
}

TEST(Bleu, MatchesAreClippedAtTheReferenceCount) {
  const Bleu bleu({.max_order = 1});
  const Lines hypotheses = {"the the the the"};
  const std::vector<Lines> references = {{"the cat"}, {"the the dog"}};
  // Hypothesis length, closest reference length, matches, total.
  EXPECT_THAT(bleu.Statistics(hypotheses, references).values, ElementsAre(4, 3, 2, 4));
}

TEST(Bleu, ClosestReferenceLengthPrefersTheShorterOfTwo) {
  const Bleu bleu({.max_order = 1});
  const Lines hypotheses = {"a b c"};
  const std::vector<Lines> references = {{"a b c d"}, {"a b"}, {"a"}};
  EXPECT_EQ(bleu.Statistics(hypotheses, references).values[1], 2);
}

TEST(Bleu, ReferencesDoNotAddUpTheirCounts) {
  const Bleu bleu({.max_order = 1});
  const Lines hypotheses = {"a a a"};
  const std::vector<Lines> references = {{"a x"}, {"a y"}};
  EXPECT_EQ(bleu.Statistics(hypotheses, references).values[2], 1);
}

// "a b x d" against "a b c d": 3/4, 1/3, 0/2, 0/1.
TEST(Bleu, SmoothingReplacesZeroPrecisions) {
  const auto score = [](BleuSmoothing smoothing, std::optional<double> value) {
    return Score({.smoothing = smoothing, .smoothing_value = value}, {"a b x d"}, {{"a b c d"}});
  };
  EXPECT_EQ(score(BleuSmoothing::kNone, {}).score, 0);
  EXPECT_THAT(score(BleuSmoothing::kNone, {}).verbose, HasSubstr("75.0/33.3/0.0/0.0"));
  EXPECT_THAT(score(BleuSmoothing::kFloor, {}).verbose, HasSubstr("75.0/33.3/5.0/10.0"));
  EXPECT_THAT(score(BleuSmoothing::kFloor, 0.5).verbose, HasSubstr("75.0/33.3/25.0/50.0"));
  EXPECT_THAT(score(BleuSmoothing::kAddK, {}).verbose, HasSubstr("75.0/50.0/33.3/50.0"));
  EXPECT_THAT(score(BleuSmoothing::kExp, {}).verbose, HasSubstr("75.0/33.3/25.0/25.0"));
  EXPECT_NEAR(score(BleuSmoothing::kExp, {}).score,
              100 * std::pow(0.75 * (1.0 / 3) * 0.25 * 0.25, 0.25), 1e-10);
}

TEST(Bleu, SignatureShowsTheSmoothingValue) {
  EXPECT_THAT(Bleu({.smoothing = BleuSmoothing::kFloor}).Signature({}),
              HasSubstr("smooth:floor[0.10]|"));
  EXPECT_THAT(Bleu({.smoothing = BleuSmoothing::kAddK, .smoothing_value = 0.5}).Signature({}),
              HasSubstr("smooth:add-k[0.50]|"));
  EXPECT_THAT(Bleu({.smoothing = BleuSmoothing::kNone}).Signature({}), HasSubstr("smooth:none|"));
  EXPECT_EQ(Bleu({.tokenizer = BleuTokenizer::kIntl, .lowercase = true, .effective_order = true})
                .Signature({}),
            "nrefs:1|case:lc|eff:yes|tok:intl|smooth:exp|version:2.6.0");
}

TEST(Bleu, EffectiveOrderIgnoresOrdersLongerThanTheSentence) {
  const std::vector<std::string> reference = {"a b"};
  EXPECT_EQ(Bleu({}).SentenceScore("a b", reference).score, 0);
  EXPECT_NEAR(Bleu({.effective_order = true}).SentenceScore("a b", reference).score, 100, 1e-10);
  const std::vector<std::string> one_word = {"a"};
  EXPECT_NEAR(Bleu({.effective_order = true}).SentenceScore("a", one_word).score, 100, 1e-10);
}

TEST(Bleu, NothingInCommonScoresZeroWhateverTheSmoothing) {
  for (const auto smoothing :
       {BleuSmoothing::kNone, BleuSmoothing::kFloor, BleuSmoothing::kAddK, BleuSmoothing::kExp}) {
    EXPECT_EQ(Score({.smoothing = smoothing}, {"a b c d e"}, {{"v w x y z"}}).score, 0);
  }
}

TEST(Bleu, EmptyHypothesisScoresZero) {
  const MetricScore score = Score({}, {""}, {{"a b"}});
  EXPECT_EQ(score.score, 0);
  EXPECT_EQ(score.verbose, "0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 2)");
}

TEST(Bleu, EverythingEmptyScoresZero) {
  const MetricScore score = Score({.effective_order = true}, {""}, {{""}});
  EXPECT_EQ(score.score, 0);
  EXPECT_EQ(score.verbose, "0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)");
}

TEST(Bleu, LowercaseIgnoresCase) {
  EXPECT_EQ(Score({}, {"ÄPFEL SIND GUT ."}, {{"äpfel sind gut ."}}).verbose.substr(0, 4), "25.0");
  EXPECT_NEAR(Score({.lowercase = true}, {"ÄPFEL SIND GUT ."}, {{"äpfel sind gut ."}}).score, 100,
              1e-10);
}

TEST(Bleu, BreakdownHoldsWhatTheScoreIsMadeOf) {
  const Bleu bleu({.smoothing = BleuSmoothing::kAddK});
  const std::vector<double> sums = {4, 5, 3, 1, 0, 0, 4, 3, 2, 1};
  const BleuBreakdown breakdown = bleu.Breakdown(sums);
  EXPECT_EQ(breakdown.hypothesis_length, 4);
  EXPECT_EQ(breakdown.reference_length, 5);
  EXPECT_DOUBLE_EQ(breakdown.brevity_penalty, std::exp(-0.25));
  EXPECT_THAT(breakdown.matches, ElementsAre(3, 2, 1, 1));
  EXPECT_THAT(breakdown.totals, ElementsAre(4, 4, 3, 2));
  EXPECT_THAT(breakdown.precisions, ElementsAre(75, 50, 100.0 / 3, 50));
  EXPECT_THROW(bleu.Breakdown(std::vector<double>{1, 2}), InternalError);
}

TEST(Bleu, ResampleScoreMatchesToFloatPrecision) {
  const Bleu bleu({});
  const std::vector<float> sums = {10, 12, 7, 4, 3, 1, 10, 9, 8, 7};
  const std::vector<double> same(sums.begin(), sums.end());
  const ResampleScore score = bleu.ScoreResample(sums);
  EXPECT_NEAR(score.value, bleu.Breakdown(same).score, 1e-4);
  EXPECT_FALSE(score.is_float32);
}

TEST(Bleu, WrongOptionsAreUserErrors) {
  EXPECT_THROW(Bleu({.max_order = 0}), UserError);
  EXPECT_EQ(ParseBleuSmoothing("add-k"), BleuSmoothing::kAddK);
  EXPECT_THAT([] { ParseBleuSmoothing("chen"); },
              testing::ThrowsMessage<UserError>(HasSubstr("exp, floor, add-k or none")));
  EXPECT_THROW(Bleu({.smoothing = static_cast<BleuSmoothing>(99)}).Signature({}), InternalError);
}

}  // namespace
}  // namespace heed
