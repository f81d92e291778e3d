#include "train/run_position.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(RunPosition, ComesBackFromTheState) {
  const DataPosition position{.seed = 7,
                              .corpora = ~uint64_t{0},
                              .epoch = 3,
                              .segments = {{{300, 330, 300}, 120}, {{200, 220, 10}, 4}}};
  RunState state;
  StorePosition({.segments = {{{1, 1, 1}, 1}, {{1, 1, 1}, 1}, {{1, 1, 1}, 1}}}, &state);
  StorePosition(position, &state);
  EXPECT_EQ(ToDataPosition(state), position);
  EXPECT_EQ(state.epoch, 2);  // finished ones
  EXPECT_EQ(state.sentences_in_epoch, 124);
}

}  // namespace
}  // namespace heed
