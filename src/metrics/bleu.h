// BLEU (Papineni et al. 2002) as sacreBLEU (Post 2018) computes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"
#include "metrics/tokenizers.h"

namespace heed {

// What replaces a precision without a match (Chen and Cherry 2014, section 3).
enum class BleuSmoothing {
  kNone,   // nothing: the score is 0
  kFloor,  // method 1: a small count in place of 0
  kAddK,   // method 2: k more matches and totals from bigrams on
  kExp,    // method 3, mteval-v13a: 1/2, 1/4, ... match for each order without one
};

// "none", "floor", "add-k", "exp"; throws UserError on other names.
BleuSmoothing ParseBleuSmoothing(std::string_view name);

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::k13a;
  bool lowercase = false;
  BleuSmoothing smoothing = BleuSmoothing::kExp;
  std::optional<double> smoothing_value = std::nullopt;  // floor: 0.1, add-k: 1 unless given
  int64_t max_order = 4;
  // Leaves out orders that the hypothesis is too short for; wanted for single sentences.
  bool effective_order = false;
};

struct BleuBreakdown {
  double score = 0;
  std::vector<double> matches;     // [max_order], after add-k
  std::vector<double> totals;      // [max_order], after add-k
  std::vector<double> precisions;  // [max_order], percent, after smoothing
  double brevity_penalty = 1;
  int64_t hypothesis_length = 0;
  int64_t reference_length = 0;
};

class Bleu : public Metric {
 public:
  // Throws UserError when max_order < 1.
  explicit Bleu(BleuOptions options);

  std::string Name() const override { return "BLEU"; }
  ResampleScore ScoreResample(std::span<const float> sums) const override;

  // Everything that makes up the score; `sums` are column sums of Statistics(): hypothesis length,
  // closest reference length, matches and totals of each order.
  BleuBreakdown Breakdown(std::span<const double> sums) const;

 protected:
  int64_t NumStatistics() const override { return 2 + 2 * options_.max_order; }
  std::string OptionFields() const override;
  void FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> row) const override;
  Evaluation Evaluate(std::span<const double> sums) const override;

 private:
  std::u32string Preprocess(std::string_view line) const;

  BleuOptions options_;
};

}  // namespace heed
