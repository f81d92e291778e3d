#include "metrics/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/bleu.h"
#include "metrics/ter.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;

TEST(Metric, StatisticsSumByColumn) {
  const SegmentStatistics statistics = {.columns = 2, .values = {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(statistics.rows(), 3);
  EXPECT_THAT(statistics.row(1), ElementsAre(3, 4));
  EXPECT_THAT(statistics.Sums(), ElementsAre(9, 12));
  EXPECT_EQ(SegmentStatistics().rows(), 0);
}

TEST(Metric, ScorePrintsAsSacrebleu) {
  MetricScore score = {.name = "BLEU",
                       .score = 41.019,
                       .signature = "nrefs:1|tok:13a",
                       .verbose = "70.1/47.2 (BP = 1.000)",
                       .confidence = std::nullopt};
  EXPECT_EQ(score.Format(), "BLEU = 41.02 70.1/47.2 (BP = 1.000)");
  EXPECT_EQ(score.Format(1, true), "BLEU|nrefs:1|tok:13a = 41.0 70.1/47.2 (BP = 1.000)");
  score.confidence = {.mean = 41.0349, .half_width = 0.5};
  score.verbose.clear();
  EXPECT_EQ(score.Format(), "BLEU = 41.02 (μ = 41.03 ± 0.50)");
  score.confidence = {.mean = 0, .half_width = 0};
  EXPECT_EQ(score.Format(), "BLEU = 41.02");
}

TEST(Metric, SignatureNamesReferencesAndResampling) {
  const Ter ter({});
  EXPECT_EQ(ter.Signature({}),
            "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0");
  EXPECT_EQ(ter.Signature({.num_references = 2, .bootstrap_resamples = 500, .seed = 7}),
            "nrefs:2|bs:500|seed:7|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0");
}

TEST(Metric, SentenceScoreIsTheCorpusScoreOfOneLine) {
  const Ter ter({});
  const std::vector<std::string> references = {"a b c", "a b d"};
  const std::vector<std::vector<std::string>> streams = {{"a b c"}, {"a b d"}};
  const std::vector<std::string> hypotheses = {"a b d"};
  const MetricScore sentence = ter.SentenceScore("a b d", references);
  EXPECT_EQ(sentence.Format(2, true), ter.CorpusScore(hypotheses, streams).Format(2, true));
  EXPECT_EQ(sentence.score, 0);
}

TEST(Metric, UnequalLineCountsAreAUserError) {
  const std::vector<std::string> hypotheses = {"a", "b"};
  const std::vector<std::vector<std::string>> references = {{"a"}};
  EXPECT_THROW(Bleu({}).CorpusScore(hypotheses, references), UserError);
}

TEST(Metric, SumsOfAnotherMetricAreRejected) {
  const std::vector<double> sums = {1, 2, 3};
  EXPECT_THROW(Ter({}).ScoreSums(sums, {}), InternalError);
}

}  // namespace
}  // namespace heed
