#include "ops/embedding.h"

#include <vector>

#include "tests/support/gradient_check.h"
#include "util/check.h"

namespace heed {
namespace {

class EmbeddingOp : public OpTest {};

TEST_F(EmbeddingOp, GradientsMatchDifferences) {
  Parameter& table = Operand("table", 5, 3);
  Parameter& positions = Operand("positions", 4, 3);
  Allocate();
  const std::vector<int32_t> ids = {-1, 2, 2, 4, 0};
  const std::vector<int32_t> places = {0, 1, 2, 0, 1};
  CheckGradients([&](Context& ctx) {
    return ops::Embedding(ctx, {.ids = ids,
                                .table = table,
                                .scale = 1.7,
                                .positions = places,
                                .position_table = positions.value,
                                .learned_positions = &positions});
  });
}

TEST_F(EmbeddingOp, MinusOneIsTheZeroVector) {
  Parameter& table = Operand("table", 5, 3);
  Allocate();
  Context ctx = Forward();
  const std::vector<int32_t> ids = {-1, 4};
  const Tensor y = ops::Embedding(
      ctx, {.ids = ids, .table = table, .scale = 2, .positions = {}, .position_table = {}});
  EXPECT_EQ(y.view().Row<double>(0)[2], 0);
  EXPECT_EQ(y.view().Row<double>(1)[2], 2 * table.value.Row<double>(4)[2]);
}

TEST_F(EmbeddingOp, IdsAreRangeChecked) {
  Parameter& table = Operand("table", 5, 3);
  Allocate();
  Context ctx = Forward();
  for (const int32_t id : {-2, 5}) {
    const std::vector<int32_t> ids = {id};
    EXPECT_THROW(
        ops::Embedding(ctx, {.ids = ids, .table = table, .positions = {}, .position_table = {}}),
        InternalError);
  }
}

}  // namespace
}  // namespace heed
