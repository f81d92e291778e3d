// Gradient checks: an op, recorded and unwound in double on the reference backend, against central
// differences of every element of every operand.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "ops/context.h"

namespace heed {

class OpTest : public testing::Test {
 protected:
  OpTest() : backend_(MakeBackend({.name = "reference", .real = DType::kFloat64})) {}

  Context Recording() {
    return {.backend = *backend_,
            .tensors = tensors_,
            .tape = &tape_,
            .is_training = true,
            .seed = 17,
            .update = 3};
  }
  // The same randomness without recording.
  Context Forward() {
    Context ctx = Recording();
    ctx.tape = nullptr;
    return ctx;
  }

  // Declares an operand with values drawn from N(0, 1); allocate with Allocate().
  Parameter& Operand(const std::string& name, int64_t rows, int64_t columns) {
    return store_.Add(name, rows, columns, Initializer::Normal(1));
  }
  void Allocate() {
    store_.Allocate(DType::kFloat64, true, &Memory::Host);
    store_.Initialize(29);
  }

  // An operand as a tensor that wants a gradient, which ends in the operand's gradient.
  static Tensor AsTensor(Context& ctx, Parameter& operand);

  // Checks d(sum of weights * y) / d(operand) for all elements, weights being fixed random numbers;
  // `compute` maps a context to y. Relative error below 1e-6.
  void CheckGradients(const std::function<Tensor(Context&)>& compute);
  // The same where the op starts backward itself and `compute` returns its losses; the loss is the
  // sum of column 0 times `scale`.
  void CheckLossGradients(const std::function<Tensor(Context&)>& compute, double scale);

  Memory slab_ = Memory::Host(1 << 26);
  Workspace workspace_{slab_.data(), slab_.bytes()};
  TensorPool tensors_{workspace_};
  std::unique_ptr<Backend> backend_;
  ParameterStore store_;
  Tape tape_;

 private:
  void CompareWithDifferences(const std::function<double()>& loss);
};

}  // namespace heed
