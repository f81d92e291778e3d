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

// One score for each pair of lines, in order; a pair's score does not depend on the others. Sources
// are cut as in translation. Throws UserError if the counts differ.
std::vector<ScoredPair> ScorePairs(const TranslationSystem& system, Backend& backend,
                                   std::span<const std::string> sources,
                                   std::span<const std::string> targets, int64_t batch_tokens);

}  // namespace heed
