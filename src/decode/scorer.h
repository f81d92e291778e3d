// Log-probabilities of given translations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/translator.h"

namespace heed {

struct ScoredPair {
  double log_probability = 0;       // nats, end mark included
  std::vector<std::string> pieces;  // of the target; the end mark is the last
  std::vector<double> piece_log_probabilities;
};

struct ScoringOptions {
  int64_t batch_tokens = 4096;       // target tokens; changes speed only
  int64_t max_source_length = 1024;  // longer sources are cut, as in translation
};

// One score for each pair of lines, in order; a pair's score does not depend on the others. Throws
// UserError if the counts differ or a target is longer than the model can take.
std::vector<ScoredPair> ScorePairs(const TranslationSystem& system, Backend& backend,
                                   std::span<const std::string> sources,
                                   std::span<const std::string> targets,
                                   const ScoringOptions& options);

}  // namespace heed
