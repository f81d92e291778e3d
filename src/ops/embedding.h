// Token embeddings plus positions.
#pragma once

#include <span>

#include "ops/context.h"

namespace heed::ops {

struct EmbeddingArguments {
  std::span<const int32_t> ids;  // [tokens]; -1 = the zero vector. Must outlive the step.
  Parameter& table;              // [vocabulary, model]
  double scale = 1;              // of the token's vector, not of the position's

  // [tokens]: row of the position table for each token; empty = no positions.
  std::span<const int32_t> positions;
  // [positions, model]: a fixed table, or the value of `learned_positions`.
  ConstMatrixView position_table;
  Parameter* learned_positions = nullptr;
};

// y = scale * table[ids] + position_table[positions], [tokens, model].
// Keeps for backward: nothing but the ids.
Tensor Embedding(Context& ctx, const EmbeddingArguments& arguments);

}  // namespace heed::ops
