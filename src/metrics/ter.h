// TER (Snover et al. 2006) as sacreBLEU computes it: percent, lower is better.
#pragma once

#include <string>
#include <string_view>

#include "metrics/metric.h"
#include "metrics/ter_tokenizer.h"

namespace heed {

struct TerOptions {
  TerTokenizerOptions tokenizer = {};
};

class Ter : public Metric {
 public:
  explicit Ter(TerOptions options) : options_(options) {}

  std::string Name() const override { return "TER"; }
  ResampleScore ScoreResample(std::span<const float> sums) const override;

 protected:
  // Edits against the closest reference, average reference length.
  int64_t NumStatistics() const override { return 2; }
  std::string OptionFields() const override;
  void FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> row) const override;
  Evaluation Evaluate(std::span<const double> sums) const override;

 private:
  std::u32string Preprocess(std::string_view line) const;
  std::u32string PreprocessReference(std::string_view line) const;

  TerOptions options_;
};

}  // namespace heed
