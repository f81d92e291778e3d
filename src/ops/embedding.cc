#include "ops/embedding.h"

#include <algorithm>

#include "util/check.h"

namespace heed::ops {
namespace {

void CheckRange(std::span<const int32_t> ids, int64_t entries, const char* what) {
  for (const int32_t id : ids) {
    HEED_CHECK(id >= -1 && id < entries, "Embedding: {} {} of {}", what, id, entries);
  }
}

}  // namespace

Tensor Embedding(Context& ctx, const EmbeddingArguments& arguments) {
  const auto& [ids, table, scale, positions, position_table, learned] = arguments;
  CheckRange(ids, table.rows, "token");
  Tensor y = ctx.New(static_cast<int64_t>(ids.size()), table.columns);
  ctx.backend.EmbeddingForward(ids, table.value, scale, y.view(), false);
  if (!positions.empty()) {
    HEED_CHECK(positions.size() == ids.size(), "Embedding: {} tokens, {} positions", ids.size(),
               positions.size());
    CheckRange(positions, position_table.rows(), "position");
    ctx.backend.EmbeddingForward(positions, position_table, 1, y.view(), true);
  }
  ctx.CountUse(table);
  if (learned != nullptr) ctx.CountUse(*learned);
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([arguments, slot = y.slot](Context& back) {
    const Tensor dy = back.tape->TakeGradient(slot);
    back.backend.EmbeddingBackward(arguments.ids, dy.view(), arguments.scale,
                                   arguments.table.gradient);
    back.tape->FinishUse(arguments.table);
    if (arguments.learned_positions != nullptr) {
      back.backend.EmbeddingBackward(arguments.positions, dy.view(), 1,
                                     arguments.learned_positions->gradient);
      back.tape->FinishUse(*arguments.learned_positions);
    }
  });
  return y;
}

}  // namespace heed::ops
