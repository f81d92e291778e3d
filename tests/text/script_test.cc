#include "text/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

TEST(Script, LetterShareIgnoresWhiteSpace) {
  EXPECT_DOUBLE_EQ(LetterShare("ab 12"), 0.5);
  EXPECT_DOUBLE_EQ(LetterShare("a\xC3\xA4\xE6\xBC\xA2\xD0\xB6"), 1);
  EXPECT_DOUBLE_EQ(LetterShare("+-*/"), 0);
  EXPECT_DOUBLE_EQ(LetterShare(" \t "), 0);
  // Devanagari "hindi": its vowel signs and virama belong to the letters.
  EXPECT_DOUBLE_EQ(
      LetterShare("\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80"), 1);
}

TEST(Script, NamesAndCodesInAnyCase) {
  for (const char* name : {"Latin", "latin", "Latn", "LATN"}) {
    EXPECT_DOUBLE_EQ(Script(name).ShareOf("abc"), 1) << name;
    EXPECT_DOUBLE_EQ(Script(name).ShareOf("\xD0\xB6"), 0) << name;
  }
  EXPECT_DOUBLE_EQ(Script("Cyrillic").ShareOf("ab\xD0\xB6\xD0\xB6"), 0.5);
}

TEST(Script, OnlyLettersCount) {
  EXPECT_DOUBLE_EQ(Script("Latin").ShareOf("a 1, 2 + \xE2\x82\xAC"), 1);
  EXPECT_DOUBLE_EQ(Script("Latin").ShareOf("12 + 34"), 1);
  EXPECT_DOUBLE_EQ(Script("Latin").ShareOf(""), 1);
}

TEST(Script, JapaneseAndKoreanMixScripts) {
  const char* japanese =
      "\xE6\xBC\xA2\xE3\x81\x82\xE3\x82\xA2\xE3\x83\xBC";  // Han, Hira, Kana, length mark
  EXPECT_DOUBLE_EQ(Script("Jpan").ShareOf(japanese), 1);
  EXPECT_DOUBLE_EQ(Script("Han").ShareOf("\xE6\xBC\xA2\xE3\x81\x82"), 0.5);
  EXPECT_DOUBLE_EQ(Script("Hans").ShareOf("\xE6\xBC\xA2"), 1);
  EXPECT_DOUBLE_EQ(Script("Hant").ShareOf("\xE6\xBC\xA2"), 1);
  EXPECT_DOUBLE_EQ(Script("Kore").ShareOf("\xED\x95\x9C\xE6\xBC\xA2"), 1);
  EXPECT_DOUBLE_EQ(Script("Kore").ShareOf("ab"), 0);
}

TEST(Script, UnknownNamesAreUserErrors) {
  for (const char* name : {"", "en", "Klingonish"}) {
    EXPECT_THROW(Script{name}, UserError) << name;
  }
}

}  // namespace
}  // namespace heed
