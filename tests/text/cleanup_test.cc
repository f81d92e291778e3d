#include "text/cleanup.h"

#include <gtest/gtest.h>

#include <string>

namespace heed {
namespace {

TEST(Cleanup, ControlCharactersBecomeSpaces) {
  std::string buffer;
  EXPECT_EQ(CleanLine(std::string_view("a\0b\rc\x1B\x7F\fd\v", 10), &buffer), "a b c   d ");
  EXPECT_TRUE(HasControlCharacters(std::string_view("\0", 1)));
  EXPECT_TRUE(HasControlCharacters("\x7F"));
}

TEST(Cleanup, IllFormedUtf8IsReplaced) {
  std::string buffer;
  EXPECT_EQ(CleanLine("J\xF6rg\r ", &buffer), "J\xEF\xBF\xBDrg  ");
}

TEST(Cleanup, EverythingElseIsLeftWhereItIs) {
  std::string buffer;
  // Tab, NBSP, U+0085, U+2028, a letter.
  const std::string_view line = " a\tb\xC2\xA0\xC2\x85\xE2\x80\xA8\xC3\xA4~ ";
  const std::string_view cleaned = CleanLine(line, &buffer);
  EXPECT_EQ(cleaned.data(), line.data());
  EXPECT_EQ(cleaned, line);
  EXPECT_EQ(CleanLine("", &buffer), "");
}

}  // namespace
}  // namespace heed
