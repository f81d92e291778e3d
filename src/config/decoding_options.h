// Section `decoding` of a recipe: how translations are searched for. Neither batch size changes a
// translation. Defaults: Vaswani et al. 2017, section 6.1.
#pragma once

#include <cstdint>
#include <optional>

#include "config/constraints.h"
#include "config/enum_names.h"

namespace heed {

enum class DecodingMethod { kBeam, kSampling };
constexpr auto EnumNames(DecodingMethod /*tag*/) {
  return std::to_array<EnumName<DecodingMethod>>(
      {{DecodingMethod::kBeam, "beam"}, {DecodingMethod::kSampling, "sampling"}});
}

// Score of a hypothesis of n tokens (end mark included) with log-probability s:
// none: s; gnmt: s / ((5 + n) / 6)^alpha (Wu et al. 2016, section 7); average: s / n^alpha.
enum class LengthPenaltyKind { kNone, kGnmt, kAverage };
constexpr auto EnumNames(LengthPenaltyKind /*tag*/) {
  return std::to_array<EnumName<LengthPenaltyKind>>({{LengthPenaltyKind::kNone, "none"},
                                                     {LengthPenaltyKind::kGnmt, "gnmt"},
                                                     {LengthPenaltyKind::kAverage, "average"}});
}

struct LengthPenaltyOptions {
  LengthPenaltyKind kind = LengthPenaltyKind::kGnmt;
  double alpha = 0.6;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("kind", kind,
          "Divide the log-probability of n tokens by 1, by ((5 + n) / 6)^alpha, or by n^alpha");
    visit("alpha", alpha, "Exponent; larger favours longer translations", AtLeast{0});
  }
  bool operator==(const LengthPenaltyOptions&) const = default;
};

// Longest translation = ratio * source length + extra, in tokens without end mark.
struct MaxLengthOptions {
  double ratio = 1;
  int64_t extra = 50;  // tokens

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("ratio", ratio, "Target tokens allowed per source token", AtLeast{0});
    visit("extra", extra, "Target tokens allowed in addition", AtLeast{0});
  }
  bool operator==(const MaxLengthOptions&) const = default;
};

struct SamplingOptions {
  double temperature = 1;  // logits are divided by it
  int64_t top_k = 0;       // 0 = all tokens
  double top_p = 1;        // smallest set of tokens with that probability (Holtzman et al. 2020)
  std::optional<int64_t> seed;  // absent = Recipe::seed

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("temperature", temperature, "Divides the logits; below 1 is bolder", Above{0});
    visit("top_k", top_k, "Sample among that many most probable tokens; 0 = all", AtLeast{0});
    visit("top_p", top_p, "Sample among the fewest tokens that have this probability together",
          FromAboveZeroToOne{});
    visit("seed", seed, "Seed of the samples; not set means the recipe's 'seed'", AtLeast{0});
  }
  bool operator==(const SamplingOptions&) const = default;
};

struct DecodingOptions {
  DecodingMethod method = DecodingMethod::kBeam;
  int64_t beam = 4;  // hypotheses per sentence; 1 = greedy
  int64_t n_best = 1;
  LengthPenaltyOptions length_penalty;
  double coverage_penalty = 0;       // beta of Wu et al. 2016, section 7; 0 = off
  int64_t max_source_length = 1024;  // tokens with end mark
  MaxLengthOptions max_length;
  int64_t min_length = 0;  // tokens without end mark
  SamplingOptions sampling;
  bool suppress_unknown = true;
  int64_t batch_tokens = 4096;   // source tokens in a batch
  int64_t batch_sentences = 64;  // at most, in a batch

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("method", method, "Beam search, or random draws from the model");
    visit("beam", beam, "Hypotheses kept per sentence; 1 = greedy search", AtLeast{1});
    visit("n_best", n_best, "Translations given per sentence, at most 'beam'", AtLeast{1});
    visit("length_penalty", length_penalty, "How length changes the score of a translation");
    visit(
        "coverage_penalty", coverage_penalty,
        "Weight of the penalty for source tokens that got little attention: the sum of log(min(its "
        "attention from all target tokens, 1)) is added to the score (Wu et al. 2016). It makes "
        "translations longer; 0.01 to 0.03 suits Transformers, 0.2 recurrent models; 0 = off",
        AtLeast{0});
    visit("max_source_length", max_source_length,
          "Longest source in tokens, end mark included; of a longer line the beginning is "
          "translated, with a warning that names the line",
          AtLeast{2});
    visit("max_length", max_length,
          "Longest translation: ratio * source tokens + extra, without end marks");
    visit("min_length", min_length, "Shortest translation in tokens, without the end mark",
          AtLeast{0});
    visit("sampling", sampling, "For 'method: sampling'");
    visit("suppress_unknown", suppress_unknown, "Never produce the unknown token");
    visit("batch_tokens", batch_tokens, "Source tokens in a batch; changes speed only", AtLeast{1});
    visit("batch_sentences", batch_sentences, "Most sentences in a batch; changes speed only",
          AtLeast{1});
  }
  bool operator==(const DecodingOptions&) const = default;
};

}  // namespace heed
