// Pointwise ops: activations, gated units, dropout and the residual sum.
#pragma once

#include "ops/context.h"

namespace heed::ops {

// y = activation(x), [tokens, width].   Keeps for backward: x.
Tensor Activate(Context& ctx, const Tensor& x, Activation activation);

// y = activation(x[:, :n]) * x[:, n:] (Shazeer 2020, "GLU variants improve Transformer").
//   x [tokens, 2 n], returns [tokens, n].   Keeps for backward: x.
Tensor Gated(Context& ctx, const Tensor& x, Activation activation);

// y = residual + dropout(x), all [tokens, width].   Keeps for backward: nothing; the mask is drawn
// again.
Tensor DropoutAdd(Context& ctx, const Tensor& x, const Tensor& residual, double rate);

// y = dropout(x). Returns x itself where nothing is dropped.   Keeps for backward: nothing.
Tensor Dropout(Context& ctx, const Tensor& x, double rate);

}  // namespace heed::ops
