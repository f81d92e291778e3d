// What all metrics share: sufficient statistics per segment, scores from their sums, signatures and
// printed lines as sacreBLEU 2 has them.
//
// Numbers and text equal those of the sacreBLEU version below to the last printed digit;
// tests/metrics/sacrebleu_parity.py shows it. All scores are in 0...100 (TER may exceed 100).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// The version whose numbers are reproduced; the last field of every signature.
inline constexpr std::string_view kSacrebleuVersion = "2.6.0";

// One vector of lines per reference translation, each as long as the hypotheses.
using ReferenceStreams = std::span<const std::vector<std::string>>;

// Rows are segments; a corpus score is a function of the column sums. Whole numbers, except the
// average reference length of TER.
struct SegmentStatistics {
  int64_t columns = 0;
  std::vector<double> values;  // [rows, columns]

  int64_t rows() const { return columns == 0 ? 0 : std::ssize(values) / columns; }
  std::span<const double> row(int64_t index) const {
    return std::span(values).subspan(static_cast<size_t>(index * columns),
                                     static_cast<size_t>(columns));
  }
  std::vector<double> Sums() const;
};

// Mean of the bootstrap scores and half the width of their central 95 %.
struct ConfidenceInterval {
  double mean = 0;
  double half_width = 0;
};

// What a signature tells besides the options of the metric.
struct SignatureContext {
  int64_t num_references = 1;
  int64_t bootstrap_resamples = 0;  // 0 = none; then the seed is not printed either
  uint64_t seed = 12345;
};

struct MetricScore {
  std::string name;  // "BLEU", "chrF2++", "TER"
  double score = 0;
  std::string signature;
  std::string verbose;  // BLEU only: precisions, brevity penalty, lengths
  std::optional<ConfidenceInterval> confidence;

  // "BLEU = 41.02 70.1/47.2/35.0/26.4 (BP = 1.000 ratio = 1.012 hyp_len = 9 ref_len = 8)"; with
  // `with_signature` "BLEU|nrefs:1|case:mixed|... = 41.02 ..."; a confidence interval follows the
  // score as "(μ = 41.03 ± 0.52)". sacreBLEU's command line prints one decimal, its API two.
  std::string Format(int decimals = 2, bool with_signature = false) const;
};

// The score of one bootstrap resample. sacreBLEU sums resamples in float32 and so gets float32
// scores, except where a special case returns a Python float; see bootstrap.h.
struct ResampleScore {
  double value = 0;
  bool is_float32 = true;
};

class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string Name() const = 0;
  std::string Signature(const SignatureContext& context) const;

  // Throws UserError when a reference stream differs in length from the hypotheses, or when there
  // is no reference or no line.
  SegmentStatistics Statistics(std::span<const std::string> hypotheses,
                               ReferenceStreams references) const;
  MetricScore CorpusScore(std::span<const std::string> hypotheses,
                          ReferenceStreams references) const;
  MetricScore SentenceScore(const std::string& hypothesis,
                            std::span<const std::string> references) const;

  // `sums`: column sums of statistics of this metric.
  MetricScore ScoreSums(std::span<const double> sums, const SignatureContext& context) const;
  virtual ResampleScore ScoreResample(std::span<const float> sums) const = 0;

 protected:
  struct Evaluation {
    double score = 0;
    std::string verbose;
  };

  virtual int64_t NumStatistics() const = 0;
  // "case:mixed|eff:no|tok:13a|smooth:exp"
  virtual std::string OptionFields() const = 0;
  // Fills one row for a segment; `references` is not empty.
  virtual void FillRow(std::string_view hypothesis, std::span<const std::string_view> references,
                       std::span<double> row) const = 0;
  virtual Evaluation Evaluate(std::span<const double> sums) const = 0;
};

}  // namespace heed
