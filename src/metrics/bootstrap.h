// Bootstrap resampling (Koehn 2004): how much of a score, or of a difference, is chance.
//
// Equal to sacreBLEU's --confidence and --paired-bs: same seed, same random indices, and the same
// rounding, for it sums and divides the statistics of a resample in float32 (NumPy 2). So a mean of
// chrF or TER carries about 6 decimal digits, as there. Non-goal: approximate randomization.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "metrics/metric.h"

namespace heed {

struct BootstrapOptions {
  int64_t resamples = 1000;
  uint64_t seed = 12345;
};

struct SystemResult {
  double score = 0;
  ConfidenceInterval confidence;
  // Two-sided: the probability of a difference to the baseline this large by chance. None for the
  // baseline itself. A system with exactly the baseline's score in every resample gets the smallest
  // value, 1 / (resamples + 1), as in sacreBLEU: there is no chance in that zero.
  std::optional<double> p_value;

  // "41.02 (41.03 ± 0.52)", with a p-value "41.02 (41.03 ± 0.52) (p = 0.0010)*"; the star marks
  // p <= 0.05.
  std::string Format(int decimals = 2) const;
};

struct PairedResult {
  SystemResult baseline;
  SystemResult system;
};

// The corpus score with its confidence interval; the signature gains "bs" and "seed".
MetricScore ScoreWithConfidence(const Metric& metric, const SegmentStatistics& statistics,
                                int64_t num_references, const BootstrapOptions& options);

// Compares two systems on the same segments. Throws UserError when the numbers of segments differ.
PairedResult PairedBootstrap(const Metric& metric, const SegmentStatistics& baseline,
                             const SegmentStatistics& system, const BootstrapOptions& options);

}  // namespace heed
