// The model of a run with all that an update changes: weights, optimizer, moving average, and the
// memory they work in.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "config/recipe.h"
#include "data/prepare_data.h"
#include "models/seq2seq_model.h"
#include "train/memory_plan.h"
#include "train/train_step.h"

namespace heed {

class TrainingModel {
 public:
  // Plans the memory, allocates it and draws the initial weights by the recipe's seed. `recipe`
  // must outlive the model.
  TrainingModel(const Recipe& recipe, const PreparedData& data);

  // What a checkpoint holds of it.
  std::vector<FlatBuffer> Buffers();

  // Forward and backward over the largest batch of the plan, with sentences of `length` tokens, so
  // that what could fail after hours fails now. Changes nothing; returns the seconds it took.
  double TryLargestBatch(int32_t length);

  Backend& backend() { return *backend_; }
  const Seq2SeqModel& model() const { return *model_; }
  const ParameterStore& parameters() const { return store_; }
  const MemoryPlan& plan() const { return plan_; }
  TrainStep& step() { return *step_; }

 private:
  BatchLimits limits_;
  std::unique_ptr<Backend> backend_;
  ParameterStore store_;
  MemoryPlan plan_;
  std::unique_ptr<Seq2SeqModel> model_;
  std::unique_ptr<TrainStep> step_;
};

}  // namespace heed
