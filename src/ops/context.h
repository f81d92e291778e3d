// Everything an op needs besides its operands; passed explicitly, there is no global state.
#pragma once

#include <cstdint>

#include "backend/backend.h"
#include "ops/tape.h"
#include "tensor/parameter_store.h"
#include "tensor/tensor.h"

namespace heed {

struct Context {
  Backend& backend;
  TensorPool& tensors;
  Tape* tape = nullptr;      // nullptr: forward only
  bool is_training = false;  // dropout on
  uint64_t seed = 0;
  uint32_t update = 0;
  uint32_t next_op = 0;  // number of the next op of this update that draws random numbers

  bool recording() const { return tape != nullptr && tape->recording(); }

  // Uninitialised memory of the backend's real type.
  Tensor New(int64_t rows, int64_t columns) { return tensors.New(backend.real(), rows, columns); }

  // The dropout of the next op: none outside training.
  DropoutSpec Dropout(double rate) {
    if (!is_training || rate == 0) return {};
    return {.rate = rate, .stream = {.seed = seed, .update = update, .op = next_op++}};
  }

  void CountUse(Parameter& parameter) const {
    if (tape != nullptr) tape->CountUse(parameter);
  }
};

}  // namespace heed
