#include "ops/linear.h"

#include "tests/support/gradient_check.h"
#include "util/check.h"

namespace heed {
namespace {

class LinearOp : public OpTest {};

TEST_F(LinearOp, GradientsMatchDifferences) {
  Parameter& x = Operand("x", 5, 4);
  Parameter& w = Operand("w", 3, 4);
  Parameter& b = Operand("b", 1, 3);
  Allocate();
  CheckGradients([&](Context& ctx) { return ops::Linear(ctx, AsTensor(ctx, x), w, &b); });
}

TEST_F(LinearOp, ReluAndSharedWeightGradientsMatchDifferences) {
  Parameter& x = Operand("x", 5, 4);
  Parameter& w = Operand("w", 4, 4);
  Allocate();
  CheckGradients([&](Context& ctx) {
    const Tensor hidden = ops::Linear(ctx, AsTensor(ctx, x), w, nullptr, Activation::kRelu);
    return ops::Linear(ctx, hidden, w, nullptr);
  });
}

TEST_F(LinearOp, NoRowsIsFine) {
  Parameter& w = Operand("w", 3, 4);
  Allocate();
  Context ctx = Forward();
  EXPECT_EQ(ops::Linear(ctx, ctx.New(0, 4), w, nullptr).rows(), 0);
}

TEST_F(LinearOp, ShapeMismatchNamesTheWeight) {
  Parameter& w = Operand("encoder.w", 3, 4);
  Allocate();
  Context ctx = Forward();
  EXPECT_THROW(ops::Linear(ctx, ctx.New(2, 5), w, nullptr), InternalError);
  EXPECT_THROW(ops::Linear(ctx, ctx.New(2, 4), w, nullptr, Activation::kGelu), InternalError);
}

}  // namespace
}  // namespace heed
