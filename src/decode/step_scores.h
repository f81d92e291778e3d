// Log-probabilities of the next token for every hypothesis of a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/context.h"

namespace heed {

// An element of a tensor of either type.
double ElementOf(const Tensor& tensor, int64_t row, int64_t column);

class StepScores {
 public:
  struct Entry {
    int32_t token;
    double log_probability;
  };

  // Adds one model's logits, [hypotheses, vocabulary]; they become log-probabilities in place.
  void Add(Context& ctx, const Tensor& logits);
  // Replaces several models by the logarithm of their mean probability. Call once, after Add.
  void Average(Context& ctx);

  // Finds the `count` best tokens of each row (fewer if the vocabulary is smaller).
  void FindBest(Context& ctx, int64_t count);
  // The best tokens of a row, best first, ties by smaller id.
  std::span<const Entry> Best(int64_t row) const;

  double At(int64_t row, int32_t token) const;
  // All log-probabilities of a row.
  std::vector<double> Row(int64_t row) const;

 private:
  std::vector<Tensor> models_;
  std::vector<Entry> best_;  // [hypotheses, count]
  int64_t count_ = 0;
};

}  // namespace heed
