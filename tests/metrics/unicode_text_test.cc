#include "metrics/unicode_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UnicodeText, Utf8SurvivesBothWays) {
  const std::string text = "Straße 日本 🙂 \xEF\xBF\xBF";
  EXPECT_EQ(EncodeUtf8(DecodeUtf8(text)), text);
  EXPECT_EQ(DecodeUtf8("é🙂"), U"é🙂");
  EXPECT_EQ(DecodeUtf8(""), U"");
  EXPECT_EQ(DecodeUtf8(std::string("a\0b", 3)).size(), 3U);
}

TEST(UnicodeText, EachMalformedSequenceBecomesOneReplacementCharacter) {
  EXPECT_EQ(DecodeUtf8("a\xFF"), U"a\uFFFD");
  EXPECT_EQ(DecodeUtf8("\xE2\x82 x"), U"\uFFFD x");              // two bytes of one character
  EXPECT_EQ(DecodeUtf8("\xC0\xAF"), U"\uFFFD\uFFFD");            // no sequence begins with C0
  EXPECT_EQ(DecodeUtf8("\xED\xA0\x80"), U"\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST(UnicodeText, LowercaseFollowsTheFullMapping) {
  EXPECT_EQ(Lowercase(U"ABC xyz Z1"), U"abc xyz z1");
  EXPECT_EQ(Lowercase(U"ÄÖÜẞ"), U"äöüß");
  EXPECT_EQ(Lowercase(U"İ"), U"i\u0307");  // one character becomes two
  EXPECT_EQ(Lowercase(U"I"), U"i");        // not the Turkish dotless one
}

TEST(UnicodeText, SigmaIsFinalOnlyAtTheEndOfAWord) {
  EXPECT_EQ(Lowercase(U"ΟΔΟΣ ΣΑΣΑ"), U"οδος σασα");
  EXPECT_EQ(Lowercase(U"Σ"), U"σ");
}

TEST(UnicodeText, SpaceIsWhatPythonCallsSpace) {
  for (const char32_t c : std::u32string(U" \t\n\v\f\r\x1C\x1D\x1E\x1F\u0085\u00A0\u1680\u2000"
                                         U"\u200A\u2028\u2029\u202F\u205F\u3000")) {
    EXPECT_TRUE(IsSpace(c)) << static_cast<uint32_t>(c);
  }
  for (const char32_t c : std::u32string(U"a\x08\x0E\x1B\u200B\u180E\u2060\uFEFF")) {
    EXPECT_FALSE(IsSpace(c)) << static_cast<uint32_t>(c);
  }
}

TEST(UnicodeText, StripTakesSpaceFromTheEnds) {
  EXPECT_EQ(Strip(U"\u3000 a b\t\u2028"), U"a b");
  EXPECT_EQ(StripRight(U" a \n"), U" a");
  EXPECT_EQ(Strip(U" \t "), U"");
}

TEST(UnicodeText, SplitGivesNoEmptyPieces) {
  EXPECT_THAT(SplitOnSpace(U"  a\u00A0bc \x1F d "), ElementsAre(U"a", U"bc", U"d"));
  EXPECT_THAT(SplitOnSpace(U" \t"), IsEmpty());
  EXPECT_THAT(SplitOnSpace(U""), IsEmpty());
}

TEST(UnicodeText, JoinUndoesSplit) {
  EXPECT_EQ(JoinWithSpace({U"a", U"b"}), U"a b");
  EXPECT_EQ(JoinWithSpace({}), U"");
}

TEST(UnicodeText, PadAddsOneSpaceAtEachEnd) {
  EXPECT_EQ(PadWithSpace(U"a"), U" a ");
}

TEST(UnicodeText, ReplaceAllGoesLeftToRightWithoutOverlap) {
  EXPECT_EQ(ReplaceAll(U"aaa", U"aa", U"b"), U"ba");
  EXPECT_EQ(ReplaceAll(U"x--y--", U"--", U""), U"xy");
  EXPECT_EQ(ReplaceAll(U"abc", U"d", U"e"), U"abc");
}

}  // namespace
}  // namespace heed
