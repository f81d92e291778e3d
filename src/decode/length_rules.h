// How long translations may be and how length enters their score.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "config/decoding_options.h"

namespace heed {

// Longest translation in tokens without the end mark: ratio * source length + extra, the source
// length also without its end mark; never below min_length.
inline int64_t MaxTargetLength(const DecodingOptions& options, int64_t source_length) {
  const double by_rule = std::floor(options.max_length.ratio * static_cast<double>(source_length)) +
                         static_cast<double>(options.max_length.extra);
  return std::max(options.min_length, static_cast<int64_t>(by_rule));
}

// What the log-probability of a hypothesis of n tokens, end mark included, is divided by:
// none 1; gnmt ((5 + n) / 6)^alpha (Wu et al. 2016, section 7, equation 14); average n^alpha.
inline double LengthPenalty(const LengthPenaltyOptions& options, int64_t n) {
  switch (options.kind) {
    case LengthPenaltyKind::kNone:
      return 1;
    case LengthPenaltyKind::kGnmt:
      return std::pow((5 + static_cast<double>(n)) / 6, options.alpha);
    case LengthPenaltyKind::kAverage:
      return std::pow(static_cast<double>(n), options.alpha);
  }
  return 1;
}

}  // namespace heed
