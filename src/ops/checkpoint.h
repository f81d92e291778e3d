// Activation checkpointing (Chen et al. 2016, "Training deep nets with sublinear memory cost").
#pragma once

#include <utility>

#include "ops/context.h"

namespace heed::ops {

// y = block(ctx, x), keeping only x: the block runs without recording and is run again, recorded,
// when backward arrives. Dropout draws the same bits the second time. Other tensors that the block
// captures take part in the gradient as usual.
// Keeps for backward: x and the block's captures.
template <class Block>
Tensor Checkpoint(Context& ctx, const Tensor& x, Block block) {
  if (!ctx.recording()) return block(ctx, x);
  const uint32_t first_op = ctx.next_op;
  ctx.tape->set_recording(false);
  Tensor y = block(ctx, x);
  ctx.tape->set_recording(true);
  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([x, block = std::move(block), slot = y.slot, first_op](Context& again) {
    const uint32_t next_op = std::exchange(again.next_op, first_op);
    again.tape->set_recomputing(true);
    const Tensor recomputed = block(again, x);
    again.tape->set_recomputing(false);
    again.next_op = next_op;
    again.tape->PassGradient(again, recomputed.slot, again.tape->TakeGradient(slot));
  });
  return y;
}

}  // namespace heed::ops
