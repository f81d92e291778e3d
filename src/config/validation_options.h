// Section `validation` of a recipe: what is measured on data.valid while training.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/constraints.h"
#include "config/enum_names.h"

namespace heed {

enum class ValidationMetric { kNll, kPerplexity, kBleu, kChrf };
constexpr auto EnumNames(ValidationMetric /*tag*/) {
  return std::to_array<EnumName<ValidationMetric>>({{ValidationMetric::kNll, "nll"},
                                                    {ValidationMetric::kPerplexity, "perplexity"},
                                                    {ValidationMetric::kBleu, "bleu"},
                                                    {ValidationMetric::kChrf, "chrf"}});
}

// True for BLEU and chrF; nll and perplexity improve downwards.
constexpr bool HigherIsBetter(ValidationMetric metric) {
  return metric == ValidationMetric::kBleu || metric == ValidationMetric::kChrf;
}

// True for metrics of translations, which cost a search.
constexpr bool NeedsTranslation(ValidationMetric metric) {
  return HigherIsBetter(metric);
}

struct ValidationOptions {
  int64_t every = 1000;  // updates
  std::vector<ValidationMetric> metrics = {ValidationMetric::kNll, ValidationMetric::kPerplexity,
                                           ValidationMetric::kBleu};
  int64_t batch_tokens = 4096;           // target tokens
  std::optional<int64_t> beam;           // absent = decoding.beam
  std::optional<int64_t> max_sentences;  // translated for bleu and chrf; absent = all

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("every", every, "Updates between validations", AtLeast{1});
    visit(
        "metrics", metrics,
        "What is computed: nll in nats per target token, bleu and chrf of detokenised translations",
        NonEmpty{});
    visit("batch_tokens", batch_tokens, "Target tokens in a validation batch", AtLeast{1});
    visit("beam", beam, "Beam width for bleu and chrf; not set means 'decoding.beam'", AtLeast{1});
    visit("max_sentences", max_sentences,
          "Sentences translated for bleu and chrf, the first of data.valid; not set means all",
          AtLeast{1});
  }
  bool operator==(const ValidationOptions&) const = default;
};

}  // namespace heed
