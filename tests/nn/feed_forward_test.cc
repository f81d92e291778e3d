#include "nn/feed_forward.h"

#include "tests/support/gradient_check.h"

namespace heed {
namespace {

class FeedForwardTest : public OpTest {};

TEST_F(FeedForwardTest, GradientsOfEveryFormMatchDifferences) {
  Parameter& x = Operand("x", 4, 3);
  const FeedForward relu(store_, "relu", {.model_width = 3, .hidden_width = 5, .dropout = 0.2});
  const FeedForward gelu(store_, "gelu",
                         {.model_width = 3, .hidden_width = 5, .activation = Activation::kGelu});
  const FeedForward gated(store_, "gated",
                          {.model_width = 3,
                           .hidden_width = 5,
                           .activation = Activation::kSilu,
                           .is_gated = true,
                           .with_bias = false});
  Allocate();
  CheckGradients([&](Context& ctx) { return gated(ctx, gelu(ctx, relu(ctx, AsTensor(ctx, x)))); });
  EXPECT_EQ(store_.Find("gated.up.weight")->rows, 10);
}

}  // namespace
}  // namespace heed
