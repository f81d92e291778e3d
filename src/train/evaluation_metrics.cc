#include "train/evaluation_metrics.h"

#include <string>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "util/check.h"

namespace heed {
namespace {

BleuTokenizer ToTokenizer(BleuTokenizerKind kind) {
  for (const auto& entry : EnumNames(BleuTokenizerKind{})) {
    if (entry.value == kind) return ParseBleuTokenizer(entry.name);
  }
  HEED_CHECK(false, "a tokenizer of no kind");
  return BleuTokenizer::k13a;
}

}  // namespace

std::unique_ptr<Metric> MakeMetric(TestMetric metric, BleuTokenizerKind tokenizer) {
  BleuOptions bleu;
  bleu.tokenizer = ToTokenizer(tokenizer);
  ChrfOptions chrf;
  switch (metric) {
    case TestMetric::kBleu:
      return std::make_unique<Bleu>(bleu);
    case TestMetric::kBleuLowercase:
      bleu.lowercase = true;
      return std::make_unique<Bleu>(bleu);
    case TestMetric::kChrf:
      return std::make_unique<Chrf>(chrf);
    case TestMetric::kChrfPlusPlus:
      chrf.word_order = 2;
      return std::make_unique<Chrf>(chrf);
    case TestMetric::kTer:
      return std::make_unique<Ter>(TerOptions{});
  }
  HEED_CHECK(false, "a metric of no kind");
  return nullptr;
}

}  // namespace heed
