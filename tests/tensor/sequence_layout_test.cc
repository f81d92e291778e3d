#include "tensor/sequence_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

TEST(SequenceLayout, PacksSentencesOneAfterTheOther) {
  const std::vector<int32_t> lengths = {3, 0, 2};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  EXPECT_EQ(layout.num_sentences(), 3);
  EXPECT_EQ(layout.num_tokens(), 5);
  EXPECT_EQ(layout.longest(), 3);
  EXPECT_THAT(layout.starts(), testing::ElementsAre(0, 3, 3));
  EXPECT_THAT(layout.positions(), testing::ElementsAre(0, 1, 2, 0, 1));
}

TEST(SequenceLayout, RangesMayLieAnywhere) {
  const SequenceLayout layout = SequenceLayout::FromRanges({7, 2}, {3, 4});
  EXPECT_EQ(layout.num_tokens(), 7);
  EXPECT_EQ(layout.longest(), 4);
  EXPECT_EQ(layout.start(0), 7);
  EXPECT_THROW(SequenceLayout::FromRanges({1}, {-1}), InternalError);
}

TEST(SequenceLayout, NegativeLengthIsOurBug) {
  const std::vector<int32_t> lengths = {1, -1};
  EXPECT_THROW(SequenceLayout::FromLengths(lengths), InternalError);
}

}  // namespace
}  // namespace heed
