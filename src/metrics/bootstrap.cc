#include "metrics/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "metrics/numpy_random.h"
#include "metrics/numpy_sum.h"
#include "util/check.h"

namespace heed {
namespace {

constexpr double kSignificanceLevel = 0.05;

// The scores of all resamples, in float32 when every single one is.
struct ScoreArray {
  std::vector<double> values;
  bool is_float32 = true;

  void Add(const ResampleScore& score) {
    values.push_back(score.value);
    is_float32 = is_float32 && score.is_float32;
  }
  double Round(double value) const { return is_float32 ? static_cast<float>(value) : value; }
  double Mean() const { return is_float32 ? NumpyMean<float>(values) : NumpyMean<double>(values); }
};

// The mean (of sorted scores, which matters for its last bit) and half the width of the central 95
// %: a fortieth is cut off at each end.
ConfidenceInterval Interval(ScoreArray scores) {
  std::sort(scores.values.begin(), scores.values.end());
  const size_t cut = scores.values.size() / 40;
  const double width = scores.values[scores.values.size() - cut - 1] - scores.values[cut];
  return {.mean = scores.Mean(), .half_width = 0.5 * scores.Round(width)};
}

// Scores of the same resamples for each system.
std::vector<ScoreArray> Resample(const Metric& metric,
                                 std::span<const SegmentStatistics* const> systems,
                                 const BootstrapOptions& options) {
  const int64_t rows = systems.front()->rows();
  HEED_CHECK(rows > 0 && rows < std::numeric_limits<uint32_t>::max(), "{} segments", rows);
  if (options.resamples < 1) {
    ThrowUserError("bootstrap needs at least 1 resample, not {}", options.resamples);
  }
  NumpyRandom random(options.seed);
  std::vector<ScoreArray> scores(systems.size());
  std::vector<int64_t> chosen(static_cast<size_t>(rows));
  std::vector<float> sums;
  for (int64_t k = 0; k < options.resamples; ++k) {
    for (int64_t& row : chosen) {
      row = random.Below(static_cast<uint32_t>(rows));
    }
    for (size_t s = 0; s < systems.size(); ++s) {
      sums.assign(static_cast<size_t>(systems[s]->columns), 0.0F);
      for (const int64_t row : chosen) {
        const std::span<const double> values = systems[s]->row(row);
        for (size_t i = 0; i < sums.size(); ++i) {
          sums[i] += static_cast<float>(values[i]);
        }
      }
      scores[s].Add(metric.ScoreResample(sums));
    }
  }
  return scores;
}

// How often the spread of resampled differences around their mean exceeds the real difference, as
// in Moses' bootstrap-hypothesis-difference-significance.pl.
double PValue(const ScoreArray& baseline, const ScoreArray& system, double difference) {
  ScoreArray differences;
  differences.is_float32 = baseline.is_float32 && system.is_float32;
  for (size_t k = 0; k < baseline.values.size(); ++k) {
    differences.values.push_back(
        std::abs(differences.Round(system.values[k] - baseline.values[k])));
  }
  const double mean = differences.Mean();
  const double limit = differences.Round(difference);
  const auto count =
      std::count_if(differences.values.begin(), differences.values.end(),
                    [&](double value) { return differences.Round(value - mean) > limit; });
  return static_cast<double>(count + 1) / static_cast<double>(differences.values.size() + 1);
}

}  // namespace

std::string SystemResult::Format(int decimals) const {
  std::string line = fmt::format("{:.{}f} ({:.{}f} ± {:.{}f})", score, decimals, confidence.mean,
                                 decimals, confidence.half_width, decimals);
  if (p_value) {
    line += fmt::format(" (p = {:.4f}){}", *p_value, *p_value > kSignificanceLevel ? "" : "*");
  }
  return line;
}

MetricScore ScoreWithConfidence(const Metric& metric, const SegmentStatistics& statistics,
                                int64_t num_references, const BootstrapOptions& options) {
  MetricScore score = metric.ScoreSums(statistics.Sums(), {.num_references = num_references,
                                                           .bootstrap_resamples = options.resamples,
                                                           .seed = options.seed});
  const SegmentStatistics* const systems[] = {&statistics};
  const ScoreArray scores = std::move(Resample(metric, systems, options).front());
  // sacreBLEU takes this mean, and only this one, without rounding on the way.
  score.confidence = {.mean = scores.Round(ExactMean(scores.values)),
                      .half_width = Interval(scores).half_width};
  return score;
}

PairedResult PairedBootstrap(const Metric& metric, const SegmentStatistics& baseline,
                             const SegmentStatistics& system, const BootstrapOptions& options) {
  if (baseline.rows() != system.rows()) {
    ThrowUserError(
        "the baseline has {} lines, the other system {}; compare translations of the "
        "same test set",
        baseline.rows(), system.rows());
  }
  const double baseline_score = metric.ScoreSums(baseline.Sums(), {}).score;
  const double system_score = metric.ScoreSums(system.Sums(), {}).score;
  const SegmentStatistics* const systems[] = {&baseline, &system};
  const std::vector<ScoreArray> scores = Resample(metric, systems, options);
  const double difference = std::abs(baseline_score - system_score);
  return {.baseline = {.score = baseline_score,
                       .confidence = Interval(scores[0]),
                       .p_value = std::nullopt},
          .system = {.score = system_score,
                     .confidence = Interval(scores[1]),
                     .p_value = PValue(scores[0], scores[1], difference)}};
}

}  // namespace heed
