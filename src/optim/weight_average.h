// Exponential moving average of the weights (Polyak and Juditsky 1992).
#pragma once

#include "backend/backend.h"
#include "tensor/parameter_store.h"

namespace heed {

class WeightAverage {
 public:
  // Starts as a copy of the weights. References must outlive the average.
  WeightAverage(double decay, const ParameterStore& store, Backend& backend);

  // average = d * average + (1 - d) * weights, with d = min(decay, (1 + update) / (10 + update)) so
  // that early updates do not hang on to the initial weights. Frozen parameters stay as they are.
  void Update(int64_t update);

  // Starts again as a copy of the weights: for a run that did not have an average until now.
  void Restart();

  // Exchanges weights and average: call before and after validation.
  void Swap();

  MatrixView average() const;  // [1, store.flat_size()], for checkpoints

 private:
  double decay_;
  const ParameterStore& store_;
  Backend& backend_;
  Memory average_, spare_;
};

}  // namespace heed
