#include "tensor/workspace.h"

#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

TEST(Workspace, TakesTheFirstGapThatFits) {
  Workspace workspace(nullptr, 1024);
  const int64_t a = workspace.Allocate(64);
  const int64_t b = workspace.Allocate(100);  // two lines
  const int64_t c = workspace.Allocate(1);
  EXPECT_EQ(a, 0);
  EXPECT_EQ(b, 64);
  EXPECT_EQ(c, 192);
  workspace.Free(b, 100);
  EXPECT_EQ(workspace.Allocate(129), 256);  // does not fit the gap
  EXPECT_EQ(workspace.Allocate(128), 64);   // fills it
  EXPECT_EQ(workspace.high_water_bytes(), 256 + 192);
}

TEST(Workspace, FreedNeighboursJoinInAnyOrder) {
  for (const bool middle_last : {false, true}) {
    Workspace workspace(nullptr, 192);
    for (int i = 0; i < 3; ++i) workspace.Allocate(64);
    workspace.Free(0, 64);
    if (!middle_last) workspace.Free(64, 64);
    workspace.Free(128, 64);
    if (middle_last) workspace.Free(64, 64);
    EXPECT_TRUE(workspace.empty());
  }
}

TEST(Workspace, SameCallsGiveTheSameTrace) {
  Workspace workspace(nullptr, 4096);
  const auto step = [&] {
    workspace.ResetStatistics();
    const int64_t a = workspace.Allocate(300);
    const int64_t b = workspace.Allocate(200);
    workspace.Free(a, 300);
    const int64_t c = workspace.Allocate(10);
    workspace.Free(b, 200);
    workspace.Free(c, 10);
    return workspace.trace();
  };
  EXPECT_EQ(step(), step());
  EXPECT_TRUE(workspace.empty());
}

TEST(Workspace, FullSlabIsAnError) {
  Workspace workspace(nullptr, 128);
  workspace.Allocate(64);
  EXPECT_THROW(workspace.Allocate(65), InternalError);
}

}  // namespace
}  // namespace heed
