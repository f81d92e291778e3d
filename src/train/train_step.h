// One update of the weights: forward and backward over micro-batches, then
//   accumulate -> check finite -> clip by global norm -> step -> moving average.
//
// The loss is summed over all target tokens of the update and divided by their exact number,
// however they are split into micro-batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/recipe.h"
#include "data/batch.h"
#include "models/seq2seq_model.h"
#include "optim/adam_optimizer.h"
#include "optim/weight_average.h"

namespace heed {

struct UpdateReport {
  double loss_sum = 0;  // nats, label smoothing included, over target_tokens
  double nll_sum = 0;   // nats
  int64_t target_tokens = 0;
  int64_t source_tokens = 0;
  int64_t sentences = 0;
  double gradient_norm = 0;  // of the loss per target token, before clipping
  std::string non_finite;    // what was not finite, if anything: then no weight has changed

  double loss() const { return loss_sum / static_cast<double>(target_tokens); }
  double nll() const { return nll_sum / static_cast<double>(target_tokens); }
};

class TrainStep {
 public:
  // `workspace_bytes` bounds the activations of a micro-batch. References must outlive the step.
  TrainStep(const Recipe& recipe, Seq2SeqModel& model, ParameterStore& store, Backend& backend,
            int64_t workspace_bytes);

  // Opens update number `update`, from 1; adds a micro-batch's gradient; and applies their sum.
  void Begin(int64_t update);
  void Accumulate(const Batch& batch);
  UpdateReport Finish(double learning_rate);

  // Updates that the optimizer's moments had seen before update 1; for their bias correction.
  void set_optimizer_start(int64_t updates) { optimizer_start_ = updates; }

  AdamOptimizer& optimizer() { return optimizer_; }
  WeightAverage* average() { return average_.get(); }  // nullptr if off
  Workspace& workspace() { return workspace_; }
  TensorPool& tensors() { return tensors_; }

 private:
  void AddLosses(const Tensor& losses, const Batch& batch);
  void ForgetFrozenGradients();

  const Recipe& recipe_;
  Seq2SeqModel& model_;
  ParameterStore& store_;
  Backend& backend_;
  Memory slab_;
  Workspace workspace_;
  TensorPool tensors_;
  Tape tape_;
  AdamOptimizer optimizer_;
  std::unique_ptr<WeightAverage> average_;
  int64_t update_ = 0;
  int64_t optimizer_start_ = 0;
  uint32_t next_op_ = 0;  // goes on from one micro-batch to the next
  UpdateReport report_;
};

}  // namespace heed
