#include "ops/pointwise.h"

#include "ops/linear.h"
#include "tests/support/gradient_check.h"

namespace heed {
namespace {

class PointwiseOp : public OpTest {};

TEST_F(PointwiseOp, ActivationGradientsMatchDifferences) {
  Parameter& x = Operand("x", 5, 6);
  Allocate();
  for (const Activation kind : {Activation::kRelu, Activation::kGelu, Activation::kSilu}) {
    CheckGradients([&](Context& ctx) { return ops::Activate(ctx, AsTensor(ctx, x), kind); });
  }
}

TEST_F(PointwiseOp, GatedGradientsMatchDifferences) {
  Parameter& x = Operand("x", 3, 8);
  Allocate();
  for (const Activation kind : {Activation::kRelu, Activation::kGelu, Activation::kSilu}) {
    CheckGradients([&](Context& ctx) { return ops::Gated(ctx, AsTensor(ctx, x), kind); });
  }
}

TEST_F(PointwiseOp, DropoutAddGradientsMatchDifferences) {
  Parameter& x = Operand("x", 7, 9);
  Parameter& residual = Operand("residual", 7, 9);
  Allocate();
  for (const double rate : {0.0, 0.4}) {
    CheckGradients([&](Context& ctx) {
      return ops::DropoutAdd(ctx, AsTensor(ctx, x), AsTensor(ctx, residual), rate);
    });
  }
}

// A residual sum without dropout hands one gradient to two slots; adding to one must not change the
// other.
TEST_F(PointwiseOp, TensorUsedTwiceGetsBothGradients) {
  Parameter& x = Operand("x", 3, 4);
  Parameter& w = Operand("w", 4, 4);
  Allocate();
  CheckGradients([&](Context& ctx) {
    const Tensor in = AsTensor(ctx, x);
    const Tensor a = ops::Linear(ctx, in, w, nullptr);
    const Tensor b = ops::DropoutAdd(ctx, a, in, 0);
    const Tensor c = ops::DropoutAdd(ctx, b, a, 0);
    return ops::DropoutAdd(ctx, ops::Activate(ctx, a, Activation::kSilu), c, 0);
  });
}

TEST_F(PointwiseOp, DropoutGradientsMatchDifferences) {
  Parameter& x = Operand("x", 7, 9);
  Allocate();
  CheckGradients([&](Context& ctx) { return ops::Dropout(ctx, AsTensor(ctx, x), 0.3); });
}

TEST_F(PointwiseOp, DropoutIsOffOutsideTraining) {
  Parameter& x = Operand("x", 7, 9);
  Allocate();
  Context ctx = Forward();
  ctx.is_training = false;
  const Tensor in = AsTensor(ctx, x);
  const Tensor out = ops::Dropout(ctx, in, 0.9);
  EXPECT_EQ(out.view().data, in.view().data);
  EXPECT_EQ(ctx.next_op, 0U);
}

TEST_F(PointwiseOp, EachDropoutDrawsAnew) {
  Parameter& x = Operand("x", 20, 20);
  Allocate();
  Context ctx = Forward();
  const Tensor in = AsTensor(ctx, x);
  const Tensor a = ops::Dropout(ctx, in, 0.5);
  const Tensor b = ops::Dropout(ctx, in, 0.5);
  int differences = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    differences += a.view().Row<double>(0)[i] != b.view().Row<double>(0)[i] ? 1 : 0;
  }
  EXPECT_GT(differences, 100);
}

}  // namespace
}  // namespace heed
