#include "backend/profiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

class Profiling : public testing::Test {
 protected:
  MatrixView Matrix(int64_t rows, int64_t columns) {
    memories_.push_back(backend_->Allocate(rows * columns * 4));
    return {memories_.back().data(), DType::kFloat32, rows, columns, columns};
  }

  std::unique_ptr<Backend> backend_ = MakeBackend({.name = "cpu", .num_threads = 1});
  ProfilingBackend profiling_{*backend_};
  std::vector<Memory> memories_;
};

TEST_F(Profiling, KernelsDoTheirWork) {
  const MatrixView x = Matrix(2, 3);
  profiling_.Fill(x, 2);
  EXPECT_EQ(profiling_.SumOfSquares(x), 24);
  EXPECT_EQ(profiling_.Describe(), backend_->Describe());
}

TEST_F(Profiling, CountsCallsAndProducts) {
  const MatrixView x = Matrix(5, 3), w = Matrix(4, 3), y = Matrix(5, 4);
  profiling_.Linear(x, w, {}, Activation::kNone, y);
  profiling_.Linear(x, w, {}, Activation::kNone, y);
  profiling_.LinearBackwardInput(y, w, x, false);
  const auto costs = profiling_.Costs();
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_GE(costs[0].seconds, costs[1].seconds);
  const KernelCost& forward = costs[0].kernel == "Linear" ? costs[0] : costs[1];
  EXPECT_EQ(forward.calls, 2);
  EXPECT_THAT(forward.flops, DoubleEq(2 * 2 * 5 * 4 * 3));
  ASSERT_EQ(profiling_.products().size(), 3U);
  EXPECT_EQ(profiling_.products()[2].kind, LinearProduct::kBackwardInput);
  EXPECT_EQ(profiling_.products()[2].out, 4);
  profiling_.Clear();
  EXPECT_TRUE(profiling_.Costs().empty());
}

TEST_F(Profiling, CausalAttentionCountsThePairsThatTheMaskLetsThrough) {
  const auto layout = SequenceLayout::FromLengths(std::vector<int32_t>{3, 1});
  const MatrixView x = Matrix(4, 8), y = Matrix(4, 8);
  AttentionArguments arguments;
  arguments.q = arguments.k = arguments.v = x;
  arguments.queries = arguments.keys = &layout;
  arguments.heads = 2;
  arguments.mask = AttentionMask::kCausal;
  profiling_.AttentionForward(arguments, y, {});
  ASSERT_EQ(profiling_.Costs().size(), 1U);
  EXPECT_THAT(profiling_.Costs()[0].flops, DoubleEq(4 * (6 + 1) * 8));
}

}  // namespace
}  // namespace heed
