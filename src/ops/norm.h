// Layer normalisation (Ba et al. 2016).
#pragma once

#include "ops/context.h"

namespace heed::ops {

// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, over the columns of each row.
//   x [tokens, width]; gamma, beta [1, width]; returns [tokens, width].
// Keeps for backward: x and two values a row.
Tensor LayerNorm(Context& ctx, const Tensor& x, Parameter& gamma, Parameter& beta, double epsilon);

}  // namespace heed::ops
