#include "decode/step_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

TEST(StepScores, NormalisesAveragesAndRanks) {
  for (const DType real : {DType::kFloat32, DType::kFloat64}) {
    const auto backend = MakeBackend({.name = "reference", .real = real});
    const Memory slab = Memory::Host(1 << 16);
    Workspace workspace(slab.data(), slab.bytes());
    TensorPool tensors(workspace);
    Context ctx{.backend = *backend, .tensors = tensors};
    StepScores scores;
    for (const double best : {3.0, 1.0}) {  // softmax (3, 1) / 4 and (1, 1) / 2
      const Tensor logits = ctx.New(1, 2);
      backend->Fill(logits.view(), 0);
      backend->Fill(logits.view().Columns(1, 1), std::log(best));
      scores.Add(ctx, logits);
    }
    scores.Average(ctx);
    EXPECT_NEAR(std::exp(scores.At(0, 1)), 0.625, 1e-6);
    scores.FindBest(ctx, 9);
    ASSERT_EQ(scores.Best(0).size(), 2U);
    EXPECT_EQ(scores.Best(0)[0].token, 1);
    EXPECT_NEAR(std::exp(scores.Row(0)[0]), 0.375, 1e-6);
    EXPECT_THROW(static_cast<void>(scores.At(0, 2)), InternalError);
  }
}

}  // namespace
}  // namespace heed
