#include "config/text_wrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;

TEST(WrapText, LinesHoldAtMostWidthCharacters) {
  EXPECT_THAT(WrapText("aa bb cc", 5), ElementsAre("aa bb", "cc"));
  EXPECT_THAT(WrapText("aa bb cc", 4), ElementsAre("aa", "bb", "cc"));
  EXPECT_THAT(WrapText("aa bb cc", 8), ElementsAre("aa bb cc"));
}

TEST(WrapText, LongWordStandsAlone) {
  EXPECT_THAT(WrapText("a longword b", 4), ElementsAre("a", "longword", "b"));
}

TEST(WrapText, NoTextIsOneEmptyLine) {
  EXPECT_THAT(WrapText("", 10), ElementsAre(""));
}

}  // namespace
}  // namespace heed
