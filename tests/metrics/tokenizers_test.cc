#include "metrics/tokenizers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

TEST(Tokenizers, NamesParseBack) {
  for (const char* name : {"13a", "intl", "zh", "char", "none"}) {
    EXPECT_EQ(TokenizerName(ParseBleuTokenizer(name)), name);
  }
}

TEST(Tokenizers, UnknownNameListsTheKnownOnes) {
  EXPECT_THAT([] { ParseBleuTokenizer("ja-mecab"); },
              testing::ThrowsMessage<UserError>(testing::AllOf(
                  testing::HasSubstr("ja-mecab"), testing::HasSubstr("13a, intl, zh, char"))));
  EXPECT_THROW(TokenizerName(static_cast<BleuTokenizer>(99)), InternalError);
}

TEST(Tokenizers, Rule13aSeparatesAsciiPunctuation) {
  const auto tokenize = [](const char32_t* line) {
    return TokenizeForBleu(BleuTokenizer::k13a, line);
  };
  EXPECT_EQ(tokenize(U"Hello, world! (It's 3.5%)"), U"Hello , world ! ( It's 3.5 % )");
  EXPECT_EQ(tokenize(U"The end 2."), U"The end 2 .");
  EXPECT_EQ(tokenize(U"a <skipped> b&quot;c"), U"a b \" c");
  EXPECT_EQ(tokenize(U"inter-\nrupted\nline"), U"interrupted line");
  EXPECT_EQ(tokenize(U"„Ja“ – nein"), U"„Ja“ – nein");  // not ASCII, so left alone
  EXPECT_EQ(tokenize(U""), U"");
}

TEST(Tokenizers, IntlSeparatesUnicodePunctuationAndSymbols) {
  const auto tokenize = [](const char32_t* line) {
    return TokenizeForBleu(BleuTokenizer::kIntl, line);
  };
  EXPECT_EQ(tokenize(U"„Ja“ – x€"), U"„ Ja “ – x €");
  EXPECT_EQ(tokenize(U"1,000.5 &amp;"), U"1,000.5 & amp ;");  // entities stay as they are
  EXPECT_EQ(tokenize(U"a“–5"), U"a “ –5");                    // the quote is taken: no pair “–
  EXPECT_EQ(tokenize(U"The end 2."), U"The end 2.");          // a full stop after a number stays
  EXPECT_EQ(tokenize(U"½.½"), U"½.½");                        // fractions are numbers
}

TEST(Tokenizers, ZhSeparatesChineseCharacters) {
  const auto tokenize = [](const char32_t* line) {
    return TokenizeForBleu(BleuTokenizer::kZh, line);
  };
  EXPECT_EQ(tokenize(U" 我爱NLP，ok. "), U"我 爱 NLP ， ok .");
  EXPECT_EQ(tokenize(U"a—b"), U"a — b");  // U+2014: general punctuation counts as Chinese
  EXPECT_EQ(tokenize(U"𠀀𠀁"), U"𠀀𠀁");  // extension B does not
}

TEST(Tokenizers, CharSeparatesEverything) {
  EXPECT_EQ(TokenizeForBleu(BleuTokenizer::kChar, U"añ 1"), U"a ñ   1");
  EXPECT_EQ(TokenizeForBleu(BleuTokenizer::kChar, U""), U"");
}

TEST(Tokenizers, NoneChangesNothing) {
  EXPECT_EQ(TokenizeForBleu(BleuTokenizer::kNone, U"a,b  c."), U"a,b  c.");
}

}  // namespace
}  // namespace heed
