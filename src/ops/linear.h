// The linear layer's op.
#pragma once

#include "ops/context.h"

namespace heed::ops {

// y = activation(x W' + b).
//   x       [tokens, in]
//   weight  [out, in]
//   bias    [1, out] or nullptr
//   returns [tokens, out]
// `activation` is kNone or kRelu; the others have an op of their own (pointwise.h).
// Keeps for backward: x, and y if there is a ReLU.
Tensor Linear(Context& ctx, const Tensor& x, Parameter& weight, Parameter* bias,
              Activation activation = Activation::kNone);

}  // namespace heed::ops
