#include "text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace heed {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

TEST(Utf8, WellFormedTextOfEveryLengthHasNoBadByte) {
  for (const char* text :
       {"", "plain", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF",
        "\xEF\xBF\xBF", "\xED\x9F\xBF", "a\xC2\x85\xE2\x80\xA8z"}) {
    EXPECT_EQ(FindBadUtf8(text), std::nullopt) << text;
    EXPECT_EQ(ReplaceBadUtf8(text), text);
  }
  EXPECT_EQ(FindBadUtf8(std::string_view("a\0b", 3)), std::nullopt);
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(FindBadUtf8("\xFF"), 0);
  EXPECT_EQ(FindBadUtf8("ab\x80"), 2);            // a continuation without a start
  EXPECT_EQ(FindBadUtf8("ab\xC3"), 2);            // cut at the end
  EXPECT_EQ(FindBadUtf8("\xC3\xA4\xE2\x82"), 2);  // cut at the end
  EXPECT_EQ(FindBadUtf8("\xE2\x82z"), 0);         // cut inside
  EXPECT_EQ(FindBadUtf8("a\xC0\xAF"), 1);         // overlong
  EXPECT_EQ(FindBadUtf8("a\xE0\x80\xAF"), 1);     // overlong
  EXPECT_EQ(FindBadUtf8("\xED\xA0\x80"), 0);      // a surrogate
  EXPECT_EQ(FindBadUtf8("\xF4\x90\x80\x80"), 0);  // above U+10FFFF
  EXPECT_EQ(FindBadUtf8("J\xF6rg"), 1);           // Latin-1
}

TEST(Utf8, ReplacesOneMaximalPieceByOneCharacter) {
  const std::string bad = kReplacement;
  EXPECT_EQ(ReplaceBadUtf8("J\xF6rg"), "J" + bad + "rg");
  EXPECT_EQ(ReplaceBadUtf8("\xE2\x82z"), bad + "z");
  EXPECT_EQ(ReplaceBadUtf8("\xC0\xAF"), bad + bad);
  EXPECT_EQ(ReplaceBadUtf8("\xF0\x9F\x98"), bad);
  EXPECT_EQ(ReplaceBadUtf8("a\xFF\xFE\xC3\xA4"), "a" + bad + bad + "\xC3\xA4");
}

TEST(Utf8, CountsCodePoints) {
  EXPECT_EQ(CountCharacters(""), 0);
  EXPECT_EQ(CountCharacters("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), 4);
  EXPECT_EQ(CountCharacters("\xFF\xFF"), 2);
}

TEST(Utf8, BlankIsUnicodeWhiteSpaceOnly) {
  EXPECT_TRUE(IsBlank(""));
  EXPECT_TRUE(IsBlank(" \t\r\f\v\xC2\xA0\xE3\x80\x80\xE2\x80\xA8\xC2\x85"));
  EXPECT_FALSE(IsBlank(" . "));
  EXPECT_FALSE(IsBlank("\xE2\x80\x8B"));  // zero width space is a format character
  EXPECT_FALSE(IsBlank("\xFF"));
}

TEST(Utf8, LongestWordCountsCharacters) {
  EXPECT_EQ(LongestWord(""), 0);
  EXPECT_EQ(LongestWord("  "), 0);
  EXPECT_EQ(LongestWord("ab \xC3\xA4\xC3\xA4\xC3\xA4\xC2\xA0 c"), 3);
  EXPECT_EQ(LongestWord("a bc"), 2);
}

}  // namespace
}  // namespace heed
