#include "metrics/ter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "metrics/ngrams.h"
#include "metrics/tercom.h"
#include "metrics/unicode_text.h"

namespace heed {
namespace {

const char* YesNo(bool value) {
  return value ? "yes" : "no";
}

}  // namespace

std::string Ter::OptionFields() const {
  const TerTokenizerOptions& o = options_.tokenizer;
  return fmt::format("case:{}|tok:tercom|norm:{}|punct:{}|asian:{}",
                     o.case_sensitive ? "mixed" : "lc", YesNo(o.normalized), YesNo(!o.no_punct),
                     YesNo(o.asian_support));
}

std::u32string Ter::Preprocess(std::string_view line) const {
  return TokenizeForTer(options_.tokenizer, StripRight(DecodeUtf8(line)));
}

// sacreBLEU tokenizes references twice, hypotheses once. That differs where the tokenizer is not
// idempotent: "&amp;lt;", or "'s" before a no-break space.
std::u32string Ter::PreprocessReference(std::string_view line) const {
  return TokenizeForTer(options_.tokenizer, Preprocess(line));
}

void Ter::FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
                  std::span<double> row) const {
  WordIndex words;
  const auto hypothesis_words = words.Number(SplitOnSpace(Preprocess(hypothesis)));
  int64_t fewest_edits = std::numeric_limits<int64_t>::max();
  int64_t total_length = 0;
  for (const std::string_view reference : references) {
    const auto reference_words = words.Number(SplitOnSpace(PreprocessReference(reference)));
    total_length += std::ssize(reference_words);
    fewest_edits = std::min(fewest_edits, CountTranslationEdits(hypothesis_words, reference_words));
  }
  row[0] = static_cast<double>(fewest_edits);
  row[1] = static_cast<double>(total_length) / static_cast<double>(references.size());
}

// Words without a reference: everything is wrong. Neither: nothing is.
Metric::Evaluation Ter::Evaluate(std::span<const double> sums) const {
  if (sums[1] > 0) {
    return {.score = 100 * (sums[0] / sums[1]), .verbose = {}};
  }
  return {.score = sums[0] > 0 ? 100.0 : 0.0, .verbose = {}};
}

ResampleScore Ter::ScoreResample(std::span<const float> sums) const {
  if (sums[1] > 0) {
    return {.value = 100.0F * (sums[0] / sums[1]), .is_float32 = true};
  }
  return {.value = sums[0] > 0 ? 100.0 : 0.0, .is_float32 = false};
}

}  // namespace heed
