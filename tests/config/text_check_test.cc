#include "config/text_check.h"

#include <gtest/gtest.h>

#include <string>

namespace heed {
namespace {

using namespace std::string_literals;

TEST(TextCheck, GoodTextHasNoBadCharacter) {
  EXPECT_FALSE(FindBadCharacter(""));
  EXPECT_FALSE(FindBadCharacter("a: b\r\n\tc: \"\xC3\xBC \xE2\x82\xAC \xF0\x9F\x98\x80\"\n"));
}

TEST(TextCheck, BadBytesAreFoundWithLineAndColumn) {
  const auto bad = FindBadCharacter("ab\nc\xFF");
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->line, 2);
  EXPECT_EQ(bad->column, 2);
  EXPECT_EQ(bad->message, "byte 0xFF is not UTF-8");
}

TEST(TextCheck, EveryKindOfMalformedUtf8IsRefused) {
  for (const std::string& text :
       {"\x80"s, "\xC0\x80"s, "\xC3"s, "\xC3("s, "\xE0\x80\x80"s, "\xE2\x82"s, "\xED\xA0\x80"s,
        "\xF0\x80\x80\x80"s, "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF\xFE"s}) {
    EXPECT_TRUE(FindBadCharacter(text)) << testing::PrintToString(text);
  }
  EXPECT_FALSE(FindBadCharacter("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"));
}

TEST(TextCheck, ControlCharactersAreRefused) {
  for (const std::string& text : {"\0"s, "\x04"s, "\x1B"s, "\x7F"s}) {
    EXPECT_TRUE(FindBadCharacter("a" + text + "b")) << testing::PrintToString(text);
  }
}

TEST(TextCheck, QuotesMustBeClosed) {
  for (const char* text : {"\"a\"", "\"a\\\"b\" c", "'it''s'", "''", "plain \" '", "| \"", "",
                           "&x \"a\"", "&x !!str  'a'", "&x"}) {
    EXPECT_TRUE(QuoteIsClosed(text, 0)) << text;
  }
  for (const char* text : {"\"a", "\"a\\\"", "'it''", "'", "\"\\", "&x \"a", "&x !!str 'a"}) {
    EXPECT_FALSE(QuoteIsClosed(text, 0)) << text;
  }
  EXPECT_FALSE(QuoteIsClosed("a: \"b", 3));
}

TEST(TextCheck, ByteOrderMarkIsTakenOffTheFrontOnly) {
  EXPECT_EQ(WithoutByteOrderMark("\xEF\xBB\xBFname"), "name");
  EXPECT_EQ(WithoutByteOrderMark("name\xEF\xBB\xBF"), "name\xEF\xBB\xBF");
}

TEST(TextCheck, LinesCountFromOneAndLoseTheirEnds) {
  EXPECT_EQ(LineOf("a\r\nb\n\nd", 1), "a");
  EXPECT_EQ(LineOf("a\r\nb\n\nd", 2), "b");
  EXPECT_EQ(LineOf("a\r\nb\n\nd", 3), "");
  EXPECT_EQ(LineOf("a\r\nb\n\nd", 4), "d");
  EXPECT_EQ(LineOf("a\r\nb\n\nd", 5), "");
}

}  // namespace
}  // namespace heed
