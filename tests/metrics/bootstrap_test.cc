#include "metrics/bootstrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Edits and reference lengths of `count` sentences of five words with 0...4 edits.
SegmentStatistics TerRows(int64_t count, double more_edits) {
  SegmentStatistics statistics = {.columns = 2, .values = {}};
  for (int64_t i = 0; i < count; ++i) {
    statistics.values.push_back(static_cast<double>(i % 5) + more_edits);
    statistics.values.push_back(5);
  }
  return statistics;
}

TEST(Bootstrap, OneSegmentHasNoSpread) {
  const SegmentStatistics statistics = {.columns = 2, .values = {1, 4}};
  const MetricScore score = ScoreWithConfidence(Ter({}), statistics, 1, {.resamples = 50});
  EXPECT_EQ(score.score, 25);
  ASSERT_TRUE(score.confidence.has_value());
  EXPECT_EQ(score.confidence->mean, 25);
  EXPECT_EQ(score.confidence->half_width, 0);
  EXPECT_EQ(score.Format(2, true),
            "TER|nrefs:1|bs:50|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|asian:no|"
            "version:2.6.0 = 25.00 (μ = 25.00 ± 0.00)");
}

// Two segments scored 0 and 100: a resample has 0, 50 or 100 with odds 1 : 2 : 1, so that the
// central 95 % reaches from 0 to 100.
TEST(Bootstrap, TwoSegmentsSpanAllTheirMixtures) {
  const SegmentStatistics statistics = {.columns = 2, .values = {0, 5, 5, 5}};
  const MetricScore score = ScoreWithConfidence(Ter({}), statistics, 1, {});
  EXPECT_EQ(score.confidence->half_width, 50);
  EXPECT_NEAR(score.confidence->mean, 50, 3);
}

TEST(Bootstrap, SeedDecidesTheResamples) {
  const SegmentStatistics statistics = TerRows(30, 0);
  const auto mean = [&](uint64_t seed) {
    return ScoreWithConfidence(Ter({}), statistics, 1, {.resamples = 100, .seed = seed})
        .confidence->mean;
  };
  EXPECT_EQ(mean(1), mean(1));
  EXPECT_NE(mean(1), mean(2));
}

TEST(Bootstrap, EqualSystemsGetTheSmallestPValueAsInSacrebleu) {
  const SegmentStatistics statistics = TerRows(50, 0);
  const PairedResult result = PairedBootstrap(Ter({}), statistics, statistics, {});
  // No resample differs, none is above zero: (0 + 1) / (1000 + 1).
  EXPECT_NEAR(*result.system.p_value, 1.0 / 1001, 1e-12);
  EXPECT_EQ(result.baseline.confidence.mean, result.system.confidence.mean);
}

TEST(Bootstrap, SteadyDifferenceIsSignificant) {
  const PairedResult result = PairedBootstrap(Ter({}), TerRows(50, 0), TerRows(50, 1), {});
  EXPECT_NEAR(result.baseline.score, 40, 1e-10);
  EXPECT_NEAR(result.system.score, 60, 1e-10);
  EXPECT_FALSE(result.baseline.p_value.has_value());
  EXPECT_LT(*result.system.p_value, 0.01);
  EXPECT_THAT(result.system.Format(), HasSubstr("(p = 0.0010)*"));
}

TEST(Bootstrap, SmallDifferenceIsNotSignificant) {
  SegmentStatistics other = TerRows(50, 0);
  std::swap(other.values[0], other.values[8]);  // 0 and 4 edits
  other.values[20] += 1;
  const PairedResult result = PairedBootstrap(Ter({}), TerRows(50, 0), other, {});
  EXPECT_GT(*result.system.p_value, 0.05);
  EXPECT_THAT(result.system.Format(), testing::Not(testing::EndsWith("*")));
}

TEST(Bootstrap, AllMetricsRun) {
  const std::vector<std::string> hypotheses = {"ein Hund läuft im Park", "", "zwei Katzen"};
  const std::vector<std::vector<std::string>> references = {
      {"ein Hund läuft im Wald", "drei", "zwei Katzen"}};
  const Bleu bleu({});
  const Chrf chrf({});
  for (const Metric* metric :
       {static_cast<const Metric*>(&bleu), static_cast<const Metric*>(&chrf)}) {
    const SegmentStatistics statistics = metric->Statistics(hypotheses, references);
    const MetricScore score = ScoreWithConfidence(*metric, statistics, 1, {.resamples = 200});
    EXPECT_GT(score.confidence->mean, 0) << metric->Name();
    EXPECT_GT(score.confidence->half_width, 0) << metric->Name();
  }
}

TEST(Bootstrap, UnequalSystemsAndNoResamplesAreUserErrors) {
  EXPECT_THAT([] { PairedBootstrap(Ter({}), TerRows(3, 0), TerRows(4, 0), {}); },
              testing::ThrowsMessage<UserError>(
                  testing::AllOf(HasSubstr("3 lines"), HasSubstr("other system 4"))));
  EXPECT_THROW(ScoreWithConfidence(Ter({}), TerRows(3, 0), 1, {.resamples = 0}), UserError);
  EXPECT_THROW(ScoreWithConfidence(Ter({}), {.columns = 2, .values = {}}, 1, {}), InternalError);
}

TEST(Bootstrap, BaselineLineHasNoPValue) {
  const SystemResult result = {
      .score = 41.019, .confidence = {.mean = 41.03, .half_width = 0.5}, .p_value = std::nullopt};
  EXPECT_EQ(result.Format(), "41.02 (41.03 ± 0.50)");
}

}  // namespace
}  // namespace heed
