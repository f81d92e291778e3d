#include "train/evaluation_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heed {
namespace {

TEST(EvaluationMetrics, EachNameMakesItsMetric) {
  const std::vector<std::string> hypothesis = {"The small house ."};
  const std::vector<std::vector<std::string>> reference = {{"the small house ."}};
  const auto signature = [&](TestMetric metric, BleuTokenizerKind tokenizer) {
    return MakeMetric(metric, tokenizer)->CorpusScore(hypothesis, reference).signature;
  };
  using testing::HasSubstr;
  EXPECT_THAT(signature(TestMetric::kBleu, BleuTokenizerKind::k13a), HasSubstr("case:mixed"));
  EXPECT_THAT(signature(TestMetric::kBleu, BleuTokenizerKind::kNone), HasSubstr("tok:none"));
  EXPECT_THAT(signature(TestMetric::kBleuLowercase, BleuTokenizerKind::kIntl),
              testing::AllOf(HasSubstr("case:lc"), HasSubstr("tok:intl")));
  EXPECT_THAT(signature(TestMetric::kChrf, BleuTokenizerKind::k13a), HasSubstr("nw:0"));
  EXPECT_THAT(signature(TestMetric::kChrfPlusPlus, BleuTokenizerKind::k13a), HasSubstr("nw:2"));
  EXPECT_EQ(MakeMetric(TestMetric::kTer, BleuTokenizerKind::k13a)->Name(), "TER");
}

}  // namespace
}  // namespace heed
