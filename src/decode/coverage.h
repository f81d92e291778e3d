// The coverage penalty (Wu et al. 2016, section 7, equation 14): translations that leave source
// tokens without attention score lower.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace heed {

// beta * sum_i log(min(coverage_i, 1)), at most 0; coverage_i is the attention that source token i,
// end mark included, got from all target tokens together, end mark included. A coverage of 0 counts
// as the smallest normal float, so that the score stays finite.
inline double CoveragePenalty(double beta, std::span<const double> coverage) {
  constexpr double kLeast = std::numeric_limits<float>::min();
  double sum = 0;
  for (const double attention : coverage) sum += std::log(std::clamp(attention, kLeast, 1.0));
  return beta * sum;
}

}  // namespace heed
