#include "metrics/ter_tokenizer.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(TerTokenizer, DefaultOnlyLowersCase) {
  EXPECT_EQ(TokenizeForTer({}, U" Hello,  World! "), U"hello, world!");
  EXPECT_EQ(TokenizeForTer({.case_sensitive = true}, U"Hello"), U"Hello");
  EXPECT_EQ(TokenizeForTer({.normalized = true}, U""), U"");
}

TEST(TerTokenizer, NormalizedSeparatesPunctuationAndPossessives) {
  EXPECT_EQ(TokenizeForTer({.normalized = true}, U"Peter's 3.5 e-fold, \"x\"."),
            U"peter 's 3.5 e-fold , \" x \" .");
  EXPECT_EQ(TokenizeForTer({.normalized = true}, U"3-fold &lt;b&gt;"), U"3 - fold < b >");
  EXPECT_EQ(TokenizeForTer({.normalized = true}, U"a\n-b\nc"), U"ab c");
}

TEST(TerTokenizer, NoPunctRemovesPunctuation) {
  EXPECT_EQ(TokenizeForTer({.no_punct = true}, U"a, b. (c) \"d\" e-f!?:;"), U"a b c d e-f");
}

TEST(TerTokenizer, AsianSupportNeedsOneOfTheOthers) {
  const std::u32string line = U"我爱、你。Ｘ！";
  EXPECT_EQ(TokenizeForTer({.asian_support = true, .case_sensitive = true}, line), line);
  EXPECT_EQ(
      TokenizeForTer({.normalized = true, .asian_support = true, .case_sensitive = true}, line),
      U"我 爱 、 你 。 Ｘ ！");
  EXPECT_EQ(TokenizeForTer({.no_punct = true, .asian_support = true, .case_sensitive = true}, line),
            U"我爱你Ｘ");
  EXPECT_EQ(TokenizeForTer({.normalized = true, .asian_support = true}, U"ひらがな"), U"ひらがな");
}

}  // namespace
}  // namespace heed
