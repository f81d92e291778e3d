#include "backend/measuring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

// Any read or write of the views below would end the process.
TEST(Measuring, KernelsTouchNoMemory) {
  const auto backend = MakeBackend({.name = "measuring"});
  const Memory memory = backend->Allocate(int64_t{1} << 40);
  EXPECT_EQ(memory.bytes(), int64_t{1} << 40);
  const MatrixView x = {memory.data(), DType::kFloat32, 1000, 1000, 1000};
  const MatrixView row = {memory.data(), DType::kFloat32, 1, 1000, 1000};
  backend->Fill(x, 1);
  backend->Linear(x, x, row, Activation::kRelu, x);
  backend->LayerNormForward(x, row, row, 1e-5, x, x.Columns(0, 2));
  EXPECT_EQ(backend->SumOfSquares(x), 0);
  EXPECT_FALSE(backend->computes());
}

TEST(Measuring, HasTheTypeAskedFor) {
  EXPECT_EQ(MeasuringBackend(DType::kFloat64).real(), DType::kFloat64);
  EXPECT_EQ(MakeBackend({.name = "measuring"})->real(), DType::kFloat32);
  EXPECT_THAT(MeasuringBackend(DType::kFloat64).Describe(), testing::HasSubstr("float64"));
}

}  // namespace
}  // namespace heed
