#include "config/scalar_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace heed {
namespace {

TEST(ScalarText, IntegersAreDigitsOnly) {
  EXPECT_EQ(ParseInteger("0"), 0);
  EXPECT_EQ(ParseInteger("-12"), -12);
  EXPECT_EQ(ParseInteger("9223372036854775807"), std::numeric_limits<int64_t>::max());
  for (const char* text : {"", "-", "1.0", "1e6", "0x10", "1_000", "1,000", " 1", "1 ", "one",
                           "9223372036854775808"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
  }
}

TEST(ScalarText, NumbersAreFiniteDecimals) {
  EXPECT_EQ(ParseNumber("0.1"), 0.1);
  EXPECT_EQ(ParseNumber("1e-9"), 1e-9);
  EXPECT_EQ(ParseNumber("-3"), -3.0);
  for (const char* text : {"", "inf", ".inf", "nan", ".nan", "1e999", "0.1.2", "0,5", "1/2"}) {
    EXPECT_EQ(ParseNumber(text), std::nullopt) << text;
  }
}

TEST(ScalarText, OnlyTrueAndFalseAreBooleans) {
  EXPECT_EQ(ParseBoolean("true"), true);
  EXPECT_EQ(ParseBoolean("FALSE"), false);
  for (const char* text : {"y", "n", "yes", "no", "on", "off", "1", "0", "tRue", ""}) {
    EXPECT_EQ(ParseBoolean(text), std::nullopt) << text;
  }
}

TEST(ScalarText, NumbersReadBackAsTheSameBits) {
  for (const double value : {0.0, 1.0, 0.1, 7e-4, 1e-9, 1.0 / 3, 1e300, -2.5e-7, 4096.0}) {
    EXPECT_EQ(ParseNumber(FormatNumber(value)), value) << FormatNumber(value);
  }
  EXPECT_EQ(FormatNumber(0.1), "0.1");
  EXPECT_EQ(FormatNumber(1e-9), "1.0e-09");
  EXPECT_EQ(FormatNumber(2.5e-9), "2.5e-09");
}

TEST(ScalarText, PlainWordsAndPathsStayBare) {
  for (const char* text : {"adam", "data/train.en.gz", "../x", "/tmp/a", "chrf++", "A-1"}) {
    EXPECT_EQ(FormatText(text), text);
  }
}

TEST(ScalarText, WhatOtherReadersMisunderstandIsQuoted) {
  EXPECT_EQ(FormatText(""), "\"\"");
  EXPECT_EQ(FormatText("no"), "\"no\"");
  EXPECT_EQ(FormatText("Y"), "\"Y\"");
  EXPECT_EQ(FormatText("NULL"), "\"NULL\"");
  EXPECT_EQ(FormatText("13a"), "\"13a\"");
  EXPECT_EQ(FormatText("1.5"), "\"1.5\"");
  EXPECT_EQ(FormatText(".5"), "\".5\"");
  EXPECT_EQ(FormatText("- a"), "\"- a\"");
  EXPECT_EQ(FormatText("a: b # c"), "\"a: b # c\"");
}

TEST(ScalarText, QuotesBackslashesAndControlCharactersAreEscaped) {
  EXPECT_EQ(FormatText("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(FormatText("a\nb\tc\x01"), R"("a\nb\tc\x01")");
  EXPECT_EQ(FormatText("gr\xC3\xBC\xC3\x9F"), "\"gr\xC3\xBC\xC3\x9F\"");
}

}  // namespace
}  // namespace heed
