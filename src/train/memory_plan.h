// How much memory a run will need, known before it starts: one step on the measuring backend.
#pragma once

#include <cstdint>
#include <string>

#include "config/recipe.h"
#include "data/batch.h"
#include "models/transformer/transformer_shape.h"

namespace heed {

struct MemoryPlan {
  int64_t num_parameters = 0;
  int64_t value_bytes = 0;  // of the parameters
  int64_t gradient_bytes = 0;
  int64_t optimizer_bytes = 0;  // Adam's two moments
  int64_t average_bytes = 0;    // moving average, if on
  int64_t workspace_bytes = 0;  // activations of the largest batch
  int64_t total_bytes() const {
    return value_bytes + gradient_bytes + optimizer_bytes + average_bytes + workspace_bytes;
  }
};

// Measures full batches of several sentence lengths within `limits`; first fit does not always grow
// with the batch, so the largest counts.
MemoryPlan PlanMemory(const Recipe& recipe, const TransformerShape& shape,
                      const BatchLimits& limits);

// "parameters 1.2 GB, ..., together 3.4 GB", for the log.
std::string Describe(const MemoryPlan& plan);

// A batch of sentences of the given lengths whose ids are all the end mark: for measuring.
Batch UniformBatch(int64_t num_sentences, int32_t source_length, int32_t target_length);

}  // namespace heed
