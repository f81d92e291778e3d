#include "ops/tape.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "ops/checkpoint.h"
#include "ops/linear.h"
#include "ops/pointwise.h"
#include "tests/support/gradient_check.h"
#include "util/check.h"

namespace heed {
namespace {

class TapeTest : public OpTest {
 protected:
  // Three layers with one weight used first and last, dropout in between.
  Tensor Chain(Context& ctx, Parameter& x, bool checkpoint) {
    const auto block = [this](Context& again, const Tensor& in) {
      const Tensor hidden = ops::Linear(again, in, *store_.Find("middle"), nullptr);
      return ops::DropoutAdd(again, ops::Activate(again, hidden, Activation::kGelu), in, 0.3);
    };
    const Tensor first = ops::Linear(ctx, AsTensor(ctx, x), *store_.Find("tied"), nullptr);
    const Tensor second = checkpoint ? ops::Checkpoint(ctx, first, block) : block(ctx, first);
    const Tensor third = ops::Dropout(ctx, second, 0.2);
    return ops::Linear(ctx, third, *store_.Find("tied"), nullptr);
  }
  void DeclareChain() {
    Operand("x", 3, 4);
    Operand("tied", 4, 4);
    Operand("middle", 4, 4);
    Allocate();
  }
  std::vector<double> Backward(bool checkpoint) {
    backend_->Fill(store_.flat_gradients(), 0);
    Context ctx = Recording();
    {
      const Tensor y = Chain(ctx, *store_.Find("x"), checkpoint);
      const Tensor dy = ctx.New(y.rows(), y.columns());
      backend_->Copy(y.view(), dy.view());
      tape_.PassGradient(ctx, y.slot, dy);
    }
    tape_.Unwind(ctx);
    const double* flat = store_.flat_gradients().Row<double>(0);
    return {flat, flat + store_.flat_size()};
  }
};

TEST_F(TapeTest, CheckpointChangesNoGradientBit) {
  DeclareChain();
  EXPECT_EQ(Backward(true), Backward(false));
}

TEST_F(TapeTest, CheckpointedGradientsMatchDifferences) {
  DeclareChain();
  CheckGradients([&](Context& ctx) { return Chain(ctx, *store_.Find("x"), true); });
}

TEST_F(TapeTest, ParameterIsReadyOnceAfterItsLastUse) {
  DeclareChain();
  std::vector<std::string> ready;
  tape_.set_on_gradient_ready([&](Parameter& parameter) { ready.push_back(parameter.name); });
  for (const bool checkpoint : {false, true}) {
    ready.clear();
    Backward(checkpoint);
    EXPECT_THAT(ready, testing::ElementsAre("middle", "tied", "x"));
  }
}

TEST_F(TapeTest, StepsRepeatTheirAddresses) {
  DeclareChain();
  std::vector<uint64_t> traces;
  for (int step = 0; step < 3; ++step) {
    workspace_.ResetStatistics();
    Backward(false);
    EXPECT_TRUE(workspace_.empty());
    traces.push_back(workspace_.trace());
  }
  EXPECT_EQ(traces[0], traces[1]);
  EXPECT_EQ(traces[1], traces[2]);
}

TEST_F(TapeTest, ResetDropsWhatWasRecorded) {
  DeclareChain();
  Context ctx = Recording();
  { const Tensor y = Chain(ctx, *store_.Find("x"), false); }
  EXPECT_FALSE(workspace_.empty());
  tape_.Reset();
  EXPECT_TRUE(workspace_.empty());
}

TEST_F(TapeTest, UnusedOutputIsNoticed) {
  DeclareChain();
  Context ctx = Recording();
  { const Tensor y = Chain(ctx, *store_.Find("x"), false); }
  EXPECT_THROW(tape_.Unwind(ctx), InternalError);
  tape_.Reset();
}

TEST_F(TapeTest, ManyClosuresOutgrowOneBlock) {
  Parameter& x = Operand("x", 1, 2);
  Allocate();
  Context ctx = Recording();
  Tensor y = AsTensor(ctx, x);
  for (int i = 0; i < 20000; ++i) y = ops::DropoutAdd(ctx, y, y, 0.0);
  y = Tensor();
  EXPECT_FALSE(tape_.empty());
  tape_.Reset();
  EXPECT_TRUE(workspace_.empty());
}

}  // namespace
}  // namespace heed
