#include "metrics/bleu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "metrics/ngrams.h"
#include "metrics/unicode_text.h"
#include "util/check.h"

namespace heed {
namespace {

constexpr std::array<std::pair<BleuSmoothing, std::string_view>, 4> kSmoothingNames = {{
    {BleuSmoothing::kNone, "none"},
    {BleuSmoothing::kFloor, "floor"},
    {BleuSmoothing::kAddK, "add-k"},
    {BleuSmoothing::kExp, "exp"},
}};

// "exp", "floor[0.10]"
std::string SmoothingField(BleuSmoothing smoothing, double value) {
  for (const auto& [kind, name] : kSmoothingNames) {
    if (kind == smoothing) {
      const bool has_value = kind == BleuSmoothing::kFloor || kind == BleuSmoothing::kAddK;
      return has_value ? fmt::format("{}[{:.2f}]", name, value) : std::string(name);
    }
  }
  HEED_CHECK(false, "smoothing {} has no name", static_cast<int>(smoothing));
  return "";
}

double SmoothingValue(const BleuOptions& options) {
  return options.smoothing_value.value_or(options.smoothing == BleuSmoothing::kFloor ? 0.1 : 1.0);
}

// The shorter of two reference lengths that are equally close.
int64_t ClosestLength(int64_t length, std::span<const int64_t> candidates) {
  return *std::min_element(candidates.begin(), candidates.end(), [length](int64_t a, int64_t b) {
    return std::pair(std::abs(a - length), a) < std::pair(std::abs(b - length), b);
  });
}

double BrevityPenalty(int64_t hypothesis_length, int64_t reference_length) {
  if (hypothesis_length >= reference_length) {
    return 1.0;
  }
  return hypothesis_length == 0 ? 0.0
                                : std::exp(1.0 - static_cast<double>(reference_length) /
                                                     static_cast<double>(hypothesis_length));
}

// log(0) counts as a large negative number, so that one zero precision gives a zero score.
double LogPrecision(double precision) {
  return precision == 0.0 ? -9999999999.0 : std::log(precision);
}

// Percent precisions of each order, smoothed; with add-k the counts change too. Returns how many
// orders enter the score. Real is double, or float for bootstrap resamples: sacreBLEU divides
// float32 sums.
template <class Real>
size_t FillPrecisions(const BleuOptions& options, std::vector<Real>* matches,
                      std::vector<Real>* totals, std::vector<double>* precisions) {
  const double value = SmoothingValue(options);
  Real halvings = 1;
  size_t effective_order = 0;
  for (size_t n = 0; n < precisions->size(); ++n) {
    if (options.smoothing == BleuSmoothing::kAddK && n > 0) {
      (*matches)[n] += static_cast<Real>(value);
      (*totals)[n] += static_cast<Real>(value);
    }
    if ((*totals)[n] == 0) {
      break;
    }
    effective_order = n + 1;
    if ((*matches)[n] != 0) {
      (*precisions)[n] = Real{100} * (*matches)[n] / (*totals)[n];
    } else if (options.smoothing == BleuSmoothing::kExp) {
      halvings *= 2;
      (*precisions)[n] = Real{100} / (halvings * (*totals)[n]);
    } else if (options.smoothing == BleuSmoothing::kFloor) {
      (*precisions)[n] = static_cast<Real>(100.0 * value) / (*totals)[n];
    }
  }
  return options.effective_order ? effective_order : precisions->size();
}

double GeometricMean(std::span<const double> precisions) {
  double log_sum = 0;
  for (const double precision : precisions) {
    log_sum += LogPrecision(precision);
  }
  return std::exp(log_sum / static_cast<double>(precisions.size()));
}

template <class Real>
BleuBreakdown ComputeBleu(const BleuOptions& options, std::span<const Real> sums) {
  const auto orders = static_cast<size_t>(options.max_order);
  BleuBreakdown result;
  result.hypothesis_length = static_cast<int64_t>(sums[0]);
  result.reference_length = static_cast<int64_t>(sums[1]);
  result.brevity_penalty = BrevityPenalty(result.hypothesis_length, result.reference_length);
  result.precisions.assign(orders, 0.0);
  std::vector<Real> matches(sums.begin() + 2, sums.begin() + 2 + options.max_order);
  std::vector<Real> totals(sums.begin() + 2 + options.max_order, sums.end());
  // Without any match smoothing would reward a translation for its mere length.
  if (std::any_of(matches.begin(), matches.end(), [](Real count) { return count != 0; })) {
    const size_t used = FillPrecisions(options, &matches, &totals, &result.precisions);
    result.score = result.brevity_penalty * GeometricMean(std::span(result.precisions).first(used));
  }
  result.matches.assign(matches.begin(), matches.end());
  result.totals.assign(totals.begin(), totals.end());
  return result;
}

}  // namespace

BleuSmoothing ParseBleuSmoothing(std::string_view name) {
  for (const auto& [kind, known] : kSmoothingNames) {
    if (known == name) {
      return kind;
    }
  }
  ThrowUserError("unknown BLEU smoothing '{}'; use exp, floor, add-k or none", name);
}

Bleu::Bleu(BleuOptions options) : options_(options) {
  if (options_.max_order < 1) {
    ThrowUserError("BLEU needs a largest n-gram order of at least 1, not {}", options_.max_order);
  }
}

std::string Bleu::OptionFields() const {
  return fmt::format("case:{}|eff:{}|tok:{}|smooth:{}", options_.lowercase ? "lc" : "mixed",
                     options_.effective_order ? "yes" : "no", TokenizerName(options_.tokenizer),
                     SmoothingField(options_.smoothing, SmoothingValue(options_)));
}

std::u32string Bleu::Preprocess(std::string_view line) const {
  std::u32string text = DecodeUtf8(line);
  if (options_.lowercase) {
    text = Lowercase(text);
  }
  return TokenizeForBleu(options_.tokenizer, StripRight(text));
}

void Bleu::FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
                   std::span<double> row) const {
  NgramIndex ngrams(options_.max_order);
  WordIndex words;
  const auto orders = static_cast<size_t>(options_.max_order);
  NgramCounts reference_counts(orders);  // the largest count in any reference
  std::vector<int64_t> reference_lengths;
  for (const std::string_view reference : references) {
    const auto symbols = words.Number(SplitOnSpace(Preprocess(reference)));
    reference_lengths.push_back(std::ssize(symbols));
    const NgramCounts counts = ngrams.Count(symbols);
    for (size_t n = 0; n < orders; ++n) {
      MergeMaximum(counts[n], &reference_counts[n]);
    }
  }
  const auto symbols = words.Number(SplitOnSpace(Preprocess(hypothesis)));
  const NgramCounts counts = ngrams.Count(symbols);
  row[0] = static_cast<double>(symbols.size());
  row[1] = static_cast<double>(ClosestLength(std::ssize(symbols), reference_lengths));
  for (size_t n = 0; n < orders; ++n) {
    row[2 + n] = static_cast<double>(MatchCount(counts[n], reference_counts[n]));
    row[2 + orders + n] = static_cast<double>(TotalCount(counts[n]));
  }
}

BleuBreakdown Bleu::Breakdown(std::span<const double> sums) const {
  HEED_CHECK(std::ssize(sums) == NumStatistics(), "BLEU needs {} sums, got {}", NumStatistics(),
             sums.size());
  return ComputeBleu<double>(options_, sums);
}

Metric::Evaluation Bleu::Evaluate(std::span<const double> sums) const {
  const BleuBreakdown bleu = Breakdown(sums);
  const double ratio = bleu.reference_length == 0 ? 0.0
                                                  : static_cast<double>(bleu.hypothesis_length) /
                                                        static_cast<double>(bleu.reference_length);
  return {.score = bleu.score,
          .verbose = fmt::format("{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})",
                                 fmt::join(bleu.precisions, "/"), bleu.brevity_penalty, ratio,
                                 bleu.hypothesis_length, bleu.reference_length)};
}

// The logarithms are taken in double again, so the score is never a float32.
ResampleScore Bleu::ScoreResample(std::span<const float> sums) const {
  return {.value = ComputeBleu<float>(options_, sums).score, .is_float32 = false};
}

}  // namespace heed
