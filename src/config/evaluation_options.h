// Section `evaluation` of a recipe: test sets and the metrics printed for each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/constraints.h"
#include "config/enum_names.h"

namespace heed {

enum class TestMetric { kBleu, kBleuLowercase, kChrf, kChrfPlusPlus, kTer };
constexpr auto EnumNames(TestMetric /*tag*/) {
  return std::to_array<EnumName<TestMetric>>({{TestMetric::kBleu, "bleu"},
                                              {TestMetric::kBleuLowercase, "bleu_lc"},
                                              {TestMetric::kChrf, "chrf"},
                                              {TestMetric::kChrfPlusPlus, "chrf++"},
                                              {TestMetric::kTer, "ter"}});
}

// sacreBLEU's tokenizers, under its own names.
enum class BleuTokenizerKind { k13a, kIntl, kZh, kChar, kNone };
constexpr auto EnumNames(BleuTokenizerKind /*tag*/) {
  return std::to_array<EnumName<BleuTokenizerKind>>({{BleuTokenizerKind::k13a, "13a"},
                                                     {BleuTokenizerKind::kIntl, "intl"},
                                                     {BleuTokenizerKind::kZh, "zh"},
                                                     {BleuTokenizerKind::kChar, "char"},
                                                     {BleuTokenizerKind::kNone, "none"}});
}

struct TestSetOptions {
  std::string name;
  std::string source;                   // lines of source text
  std::vector<std::string> references;  // each as many lines as `source`

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("name", name, "Name in reports", NonEmpty{});
    visit("source", source, "File of source sentences, one per line", NonEmpty{});
    visit("references", references, "Files of reference translations, one or several", NonEmpty{});
  }
  bool operator==(const TestSetOptions&) const = default;
};

struct EvaluationOptions {
  std::vector<TestSetOptions> test_sets;
  std::vector<TestMetric> metrics = {TestMetric::kBleu, TestMetric::kChrf};
  BleuTokenizerKind tokenizer = BleuTokenizerKind::k13a;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("test_sets", test_sets, "What 'heed evaluate' translates and scores");
    visit("metrics", metrics, "Metrics of detokenised translations, printed with their signatures",
          NonEmpty{});
    visit("tokenizer", tokenizer,
          "sacreBLEU's tokenizer for BLEU, here and in validation; none is for text that is "
          "tokenised already");
  }
  bool operator==(const EvaluationOptions&) const = default;
};

}  // namespace heed
