// chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU computes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"
#include "metrics/ngrams.h"

namespace heed {

struct ChrfOptions {
  int64_t char_order = 6;
  int64_t word_order = 0;  // 2 gives chrF++
  int64_t beta = 2;        // recall counts beta^2 times as much as precision
  bool lowercase = false;
  bool whitespace = false;     // keep whitespace in character n-grams
  bool eps_smoothing = false;  // average F over all orders, as chrF++.py; else precision and recall
                               // over the orders that both sides have
};

class Chrf : public Metric {
 public:
  // Throws UserError on a negative order, or when both orders are 0.
  explicit Chrf(ChrfOptions options);

  std::string Name() const override;  // "chrF2", "chrF2++"
  ResampleScore ScoreResample(std::span<const float> sums) const override;

 protected:
  // Hypothesis count, reference count and matches of each order, characters first.
  int64_t NumStatistics() const override { return 3 * (options_.char_order + options_.word_order); }
  std::string OptionFields() const override;
  void FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> row) const override;
  Evaluation Evaluate(std::span<const double> sums) const override;

 private:
  struct SegmentIndex;
  NgramCounts CountNgrams(std::string_view line, SegmentIndex* index) const;

  ChrfOptions options_;
};

}  // namespace heed
