#include "metrics/chrf.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "metrics/unicode_text.h"
#include "util/check.h"

namespace heed {
namespace {

bool IsAsciiPunctuation(char32_t c) {
  return c > U' ' && c < 0x7F && !(c >= U'0' && c <= U'9') && !(c >= U'A' && c <= U'Z') &&
         !(c >= U'a' && c <= U'z');
}

// The words of chrF++.py: one punctuation character apart, of the end if there is one, else of the
// beginning; so "(hi)" gives "(hi" and ")".
std::vector<std::u32string_view> SplitWords(std::u32string_view line) {
  std::vector<std::u32string_view> words;
  for (const std::u32string_view word : SplitOnSpace(line)) {
    if (word.size() > 1 && IsAsciiPunctuation(word.back())) {
      words.push_back(word.substr(0, word.size() - 1));
      words.push_back(word.substr(word.size() - 1));
    } else if (word.size() > 1 && IsAsciiPunctuation(word.front())) {
      words.push_back(word.substr(0, 1));
      words.push_back(word.substr(1));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// Real is double, or float for bootstrap resamples: sacreBLEU divides float32 sums.
template <class Real>
struct OrderScore {
  Real precision;
  Real recall;
};

constexpr double kEps = 1e-16;

template <class Real>
OrderScore<Real> ScoreOrder(std::span<const Real> statistics) {
  const Real hypothesis = statistics[0];
  const Real reference = statistics[1];
  const Real matches = statistics[2];
  return {.precision = hypothesis > 0 ? matches / hypothesis : static_cast<Real>(kEps),
          .recall = reference > 0 ? matches / reference : static_cast<Real>(kEps)};
}

// Mean over orders of F; an order without matches counts as good as nothing.
template <class Real>
Real SmoothedScore(Real factor, std::span<const Real> statistics) {
  Real score = 0;
  int64_t orders = 0;
  for (size_t i = 0; i < statistics.size(); i += 3) {
    const auto [precision, recall] = ScoreOrder(statistics.subspan(i, 3));
    const Real denominator = factor * precision + recall;
    score +=
        denominator > 0 ? (1 + factor) * precision * recall / denominator : static_cast<Real>(kEps);
    ++orders;
  }
  return Real{100} * score / static_cast<Real>(orders);
}

// F of mean precision and mean recall over the orders that hypothesis and reference both have.
template <class Real>
Real EffectiveOrderScore(Real factor, std::span<const Real> statistics) {
  Real precision_sum = 0;
  Real recall_sum = 0;
  int64_t orders = 0;
  for (size_t i = 0; i < statistics.size(); i += 3) {
    if (statistics[i] > 0 && statistics[i + 1] > 0) {
      const auto [precision, recall] = ScoreOrder(statistics.subspan(i, 3));
      precision_sum += precision;
      recall_sum += recall;
      ++orders;
    }
  }
  if (precision_sum + recall_sum == 0) {
    return 0;
  }
  const Real precision = precision_sum / static_cast<Real>(orders);
  const Real recall = recall_sum / static_cast<Real>(orders);
  const Real score = (1 + factor) * precision * recall / (factor * precision + recall);
  return Real{100} * score;
}

template <class Real>
Real ComputeChrf(const ChrfOptions& options, std::span<const Real> statistics) {
  const auto factor = static_cast<Real>(options.beta * options.beta);
  return options.eps_smoothing ? SmoothedScore(factor, statistics)
                               : EffectiveOrderScore(factor, statistics);
}

}  // namespace

// N-gram ids of one segment. Words are numbered, characters are their own number.
struct Chrf::SegmentIndex {
  NgramIndex characters;
  NgramIndex words;
  WordIndex numbers;
};

Chrf::Chrf(ChrfOptions options) : options_(options) {
  if (options_.char_order < 0 || options_.word_order < 0 ||
      options_.char_order + options_.word_order == 0) {
    ThrowUserError(
        "chrF needs n-gram orders of at least 0 that are not both 0, got {} for "
        "characters and {} for words",
        options_.char_order, options_.word_order);
  }
}

std::string Chrf::Name() const {
  return fmt::format("chrF{}", options_.beta) +
         std::string(static_cast<size_t>(options_.word_order), '+');
}

std::string Chrf::OptionFields() const {
  return fmt::format("case:{}|eff:{}|nc:{}|nw:{}|space:{}", options_.lowercase ? "lc" : "mixed",
                     options_.eps_smoothing ? "no" : "yes", options_.char_order,
                     options_.word_order, options_.whitespace ? "yes" : "no");
}

NgramCounts Chrf::CountNgrams(std::string_view line, SegmentIndex* index) const {
  std::u32string text = DecodeUtf8(line);
  if (options_.lowercase) {
    text = Lowercase(text);
  }
  std::vector<uint32_t> characters;
  std::copy_if(text.begin(), text.end(), std::back_inserter(characters),
               [this](char32_t c) { return options_.whitespace || !IsSpace(c); });
  NgramCounts counts = index->characters.Count(characters);
  if (options_.word_order > 0) {
    NgramCounts word_counts = index->words.Count(index->numbers.Number(SplitWords(text)));
    counts.insert(counts.end(), word_counts.begin(), word_counts.end());
  }
  return counts;
}

void Chrf::FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
                   std::span<double> row) const {
  SegmentIndex index{.characters = NgramIndex(options_.char_order),
                     .words = NgramIndex(options_.word_order),
                     .numbers = {}};
  const NgramCounts hypothesis_counts = CountNgrams(hypothesis, &index);
  double best_score = -1;
  std::vector<double> statistics(row.size());
  for (const std::string_view reference : references) {
    const NgramCounts reference_counts = CountNgrams(reference, &index);
    for (size_t n = 0; n < hypothesis_counts.size(); ++n) {
      const int64_t reference_total = TotalCount(reference_counts[n]);
      // The n-grams of an order that the reference is too short for are not held against anyone.
      const int64_t hypothesis_total = reference_total > 0 ? TotalCount(hypothesis_counts[n]) : 0;
      statistics[3 * n] = static_cast<double>(hypothesis_total);
      statistics[3 * n + 1] = static_cast<double>(reference_total);
      statistics[3 * n + 2] =
          static_cast<double>(MatchCount(hypothesis_counts[n], reference_counts[n]));
    }
    const double score = ComputeChrf<double>(options_, statistics);
    if (score > best_score) {
      best_score = score;
      std::copy(statistics.begin(), statistics.end(), row.begin());
    }
  }
}

Metric::Evaluation Chrf::Evaluate(std::span<const double> sums) const {
  return {.score = ComputeChrf<double>(options_, sums), .verbose = {}};
}

// sacreBLEU falls back to Python floats when nothing matches, or with eps when nothing is there.
ResampleScore Chrf::ScoreResample(std::span<const float> sums) const {
  const float score = ComputeChrf<float>(options_, sums);
  const bool is_empty = std::all_of(sums.begin(), sums.end(), [](float sum) { return sum == 0; });
  return {.value = score, .is_float32 = options_.eps_smoothing ? !is_empty : score != 0};
}

}  // namespace heed
