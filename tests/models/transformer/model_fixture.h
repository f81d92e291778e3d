// A small Transformer in double on the reference backend, and a batch for it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/transformer/transformer.h"

namespace heed {

inline constexpr int64_t kTestVocabulary = 11;

// Every switch at a value of its own; no dropout unless a test asks for it.
ModelOptions SmallModelOptions();
std::vector<ModelOptions> ModelVariants();

// A batch of the given sentences, target inputs shifted right with -1 first; sentences end with 0.
Batch MakeBatch(const std::vector<std::vector<int32_t>>& sources,
                const std::vector<std::vector<int32_t>>& targets);
// Three pairs of lengths 4/5, 2/3 and 6/1.
Batch SmallBatch();

struct TestModel {
  explicit TestModel(const ModelOptions& options, bool checkpoint_layers = false,
                     const BackendOptions& backend_options = {.name = "reference",
                                                              .real = DType::kFloat64});

  Context Make(Tape* with_tape, bool is_training = false) {
    return {.backend = *backend,
            .tensors = tensors,
            .tape = with_tape,
            .is_training = is_training,
            .seed = 5,
            .update = 1};
  }
  // Sum of the smoothed losses, without recording.
  double LossSum(const Batch& batch, const ops::CrossEntropyOptions& options,
                 bool is_training = false);

  ModelOptions options;
  std::unique_ptr<Backend> backend;
  Memory slab;
  Workspace workspace;
  TensorPool tensors{workspace};
  ParameterStore store;
  Tape tape;
  std::unique_ptr<Transformer> model;
};

}  // namespace heed
