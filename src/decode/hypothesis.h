// A finished translation, in tokens.
#pragma once

#include <cstdint>
#include <vector>

namespace heed {

struct Hypothesis {
  std::vector<int32_t> tokens;                  // the end mark is the last
  std::vector<double> token_log_probabilities;  // nats, one per token
  double log_probability = 0;                   // their sum
  double score = 0;                             // with length and coverage penalty
  bool was_ended = false;                       // at the longest length allowed, not by the model
};

}  // namespace heed
