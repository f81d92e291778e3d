#include "nn/multi_head_attention.h"

#include <vector>

#include "tests/support/gradient_check.h"

namespace heed {
namespace {

class MultiHeadAttentionTest : public OpTest {};

TEST_F(MultiHeadAttentionTest, GradientsMatchDifferences) {
  Parameter& x = Operand("x", 5, 4);
  const SelfAttention self(store_, "self", {.model_width = 4, .heads = 2});
  const CrossAttention cross(store_, "cross", {.model_width = 4, .heads = 1, .dropout = 0.1});
  Allocate();
  const std::vector<int32_t> lengths = {3, 2};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  CheckGradients([&](Context& ctx) {
    const Tensor in = AsTensor(ctx, x);
    const Tensor middle = self(ctx, in, layout, AttentionMask::kCausal);
    return cross(ctx, middle, cross.Project(ctx, in), layout, layout);
  });
}

// Token by token with a cache gives what the whole sentence gives at once.
TEST_F(MultiHeadAttentionTest, StepsEqualTheCausalWhole) {
  Parameter& x = Operand("x", 3, 4);
  const SelfAttention self(store_, "self", {.model_width = 4, .heads = 2});
  Allocate();
  Context ctx = Forward();
  const std::vector<int32_t> lengths = {3};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  const Tensor in = AsTensor(ctx, x);
  const Tensor whole = self(ctx, in, layout, AttentionMask::kCausal);
  const Tensor cached = ctx.New(3, 8);
  const std::vector<int32_t> history = {0, 1, 2};
  for (int64_t step = 0; step < 3; ++step) {
    const Tensor row = ctx.New(1, 4);
    backend_->Copy(in.view().Rows(step, 1), row.view());
    AttentionCache cache;
    cache.keys_values = cached.view();
    cache.first_row = step;
    cache.history = std::span(history).first(static_cast<size_t>(step) + 1);
    cache.steps = step + 1;
    const Tensor y = self.Step(ctx, row, cache);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(y.view().Row<double>(0)[i], whole.view().Row<double>(step)[i], 1e-14);
    }
  }
}

}  // namespace
}  // namespace heed
