#include "ops/attention.h"

#include <vector>

#include "tests/support/gradient_check.h"

namespace heed {
namespace {

class AttentionOp : public OpTest {};

SequenceLayout Layout(std::vector<int32_t> lengths) {
  return SequenceLayout::FromLengths(lengths);
}

TEST_F(AttentionOp, SelfAttentionGradientsMatchDifferences) {
  Parameter& qkv = Operand("qkv", 9, 12);
  Allocate();
  const SequenceLayout layout = Layout({4, 1, 0, 4});
  for (const AttentionMask mask : {AttentionMask::kNone, AttentionMask::kCausal}) {
    for (const double dropout : {0.0, 0.3}) {
      CheckGradients([&](Context& ctx) {
        return ops::SelfAttention(ctx, AsTensor(ctx, qkv), layout,
                                  {.heads = 2, .mask = mask, .dropout = dropout});
      });
    }
  }
}

TEST_F(AttentionOp, CrossAttentionGradientsMatchDifferences) {
  Parameter& q = Operand("q", 6, 4);
  Parameter& kv = Operand("kv", 7, 8);
  Allocate();
  const SequenceLayout targets = Layout({3, 2, 1}), sources = Layout({2, 4, 1});
  CheckGradients([&](Context& ctx) {
    return ops::CrossAttention(ctx, AsTensor(ctx, q), AsTensor(ctx, kv), targets, sources,
                               {.heads = 2, .dropout = 0.2});
  });
}

TEST_F(AttentionOp, SharedKeysAndValuesCollectBothGradients) {
  Parameter& q = Operand("q", 3, 4);
  Parameter& kv = Operand("kv", 5, 8);
  Allocate();
  const SequenceLayout targets = Layout({3}), sources = Layout({5});
  CheckGradients([&](Context& ctx) {
    const Tensor memory = AsTensor(ctx, kv);
    const Tensor first = ops::CrossAttention(ctx, AsTensor(ctx, q), memory, targets, sources, {});
    return ops::CrossAttention(ctx, first, memory, targets, sources, {.heads = 4});
  });
}

}  // namespace
}  // namespace heed
