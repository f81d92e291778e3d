#include "metrics/punctuation_rules.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

bool IsA(char32_t c) {
  return c == U'a';
}
bool IsB(char32_t c) {
  return c == U'b';
}
bool IsAny(char32_t) {
  return true;
}

TEST(PunctuationRules, PairsArePaddedOnTheSideAskedFor) {
  EXPECT_EQ(SeparatePairs(U"xaby", PairPadding::kAfter, IsA, IsB), U"xa b y");
  EXPECT_EQ(SeparatePairs(U"xaby", PairPadding::kBefore, IsA, IsB), U"x a by");
  EXPECT_EQ(SeparatePairs(U"ba", PairPadding::kAfter, IsA, IsB), U"ba");
  EXPECT_EQ(SeparatePairs(U"", PairPadding::kAfter, IsA, IsB), U"");
}

TEST(PunctuationRules, ACharacterTakenByOnePairDoesNotStartTheNext) {
  EXPECT_EQ(SeparatePairs(U"bbb", PairPadding::kAfter, IsAny, IsB), U"b b b");
}

TEST(PunctuationRules, IsolateSurroundsEachCharacter) {
  EXPECT_EQ(IsolateCharacters(U"bab", IsA), U"b a b");
}

TEST(PunctuationRules, WesternPunctuationLeavesOutFour) {
  for (const char32_t c : std::u32string_view(U" !\"#$%&()*+/:;<=>?@[\\]^_`{|}~")) {
    EXPECT_TRUE(IsWesternPunctuation(c)) << static_cast<uint32_t>(c);
  }
  for (const char32_t c : std::u32string_view(U"'-,.aZ09\x7F\u00A0“")) {
    EXPECT_FALSE(IsWesternPunctuation(c)) << static_cast<uint32_t>(c);
  }
}

TEST(PunctuationRules, StopsStayBetweenDigits) {
  EXPECT_EQ(SeparateStopsAndHyphens(U"1.5"), U"1.5");
  EXPECT_EQ(SeparateStopsAndHyphens(U"a.5"), U"a  .  5");
  EXPECT_EQ(SeparateStopsAndHyphens(U"5,b"), U"5 , b");
  EXPECT_EQ(SeparateStopsAndHyphens(U"3-4 a-b"), U"3 - 4 a-b");
}

TEST(PunctuationRules, EntitiesResolveInOrder) {
  EXPECT_EQ(ResolveEntities(U"&quot;&lt;&gt;&amp;"), U"\"<>&");
  EXPECT_EQ(ResolveEntities(U"&amp;lt;"), U"<");         // &amp; comes before &lt;
  EXPECT_EQ(ResolveEntities(U"&amp;quot;"), U"&quot;");  // but after &quot;
  EXPECT_EQ(ResolveEntities(U"&apos; none"), U"&apos; none");
}

}  // namespace
}  // namespace heed
