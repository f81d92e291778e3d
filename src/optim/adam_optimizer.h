// Adam and AdamW with their state, over the flat buffers of a parameter store.
#pragma once

#include "backend/backend.h"
#include "config/training_options.h"
#include "tensor/parameter_store.h"

namespace heed {

class AdamOptimizer {
 public:
  // Moments start at zero. Both references must outlive the optimizer.
  AdamOptimizer(const OptimizerOptions& options, const ParameterStore& store, Backend& backend);

  // One step of update number `update` (from 1) on the store's gradients times `gradient_factor`.
  // Leaves frozen parameters and their moments alone.
  void Step(int64_t update, double learning_rate, double gradient_factor);

  // [1, store.flat_size()], for checkpoints.
  MatrixView first_moment() const { return View(first_); }
  MatrixView second_moment() const { return View(second_); }

 private:
  MatrixView View(const Memory& memory) const;

  OptimizerOptions options_;
  const ParameterStore& store_;
  Backend& backend_;
  Memory first_, second_;
};

}  // namespace heed
