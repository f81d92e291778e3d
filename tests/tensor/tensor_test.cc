#include "tensor/tensor.h"

#include <gtest/gtest.h>

#include <utility>

#include "tensor/memory.h"

namespace heed {
namespace {

class TensorTest : public testing::Test {
 protected:
  Memory slab_ = Memory::Host(1 << 16);
  Workspace workspace_{slab_.data(), slab_.bytes()};
  TensorPool pool_{workspace_};
};

TEST_F(TensorTest, LastHandleFreesTheMemory) {
  {
    Tensor a = pool_.New(DType::kFloat32, 3, 5);
    EXPECT_TRUE(a.unique());
    Tensor b = a;
    EXPECT_FALSE(a.unique());
    a = Tensor();
    EXPECT_FALSE(workspace_.empty());
    EXPECT_TRUE(b.unique());
    b.view().Row<float>(2)[4] = 1.0F;
  }
  EXPECT_TRUE(workspace_.empty());
}

TEST_F(TensorTest, MoveKeepsTheSlotAndEmptiesTheSource) {
  Tensor a = pool_.New(DType::kFloat64, 2, 2);
  a.slot = 4;
  const Tensor b = std::move(a);
  EXPECT_EQ(b.slot, 4);
  EXPECT_EQ(a.slot, -1);  // NOLINT(bugprone-use-after-move): the contract under test
  EXPECT_FALSE(static_cast<bool>(a));
}

TEST_F(TensorTest, EmptyTensorsAreAllowed) {
  const Tensor a = pool_.New(DType::kFloat32, 0, 8);
  const Tensor b = pool_.New(DType::kFloat32, 0, 8);
  EXPECT_NE(a.view().data, b.view().data);
}

TEST_F(TensorTest, ViewsSelectRowsAndColumns) {
  const Tensor a = pool_.New(DType::kFloat32, 4, 6);
  for (int i = 0; i < 24; ++i) a.view().Row<float>(0)[i] = static_cast<float>(i);
  const MatrixView part = a.view().Rows(1, 2).Columns(2, 3);
  EXPECT_EQ(part.Row<float>(1)[2], 16.0F);
  EXPECT_THROW(a.view().Columns(4, 3), InternalError);
  EXPECT_THROW(a.view().Row<double>(0), InternalError);
}

}  // namespace
}  // namespace heed
