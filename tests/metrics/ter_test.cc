#include "metrics/ter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;

using Lines = std::vector<std::string>;

double Score(const TerTokenizerOptions& options, const std::string& hypothesis,
             const Lines& references) {
  return Ter({.tokenizer = options}).SentenceScore(hypothesis, references).score;
}

TEST(Ter, EditsOverReferenceLength) {
  EXPECT_NEAR(Score({}, "a x c", {"a b c"}), 100.0 / 3, 1e-10);
  EXPECT_NEAR(Score({}, "a b c d", {"b c d a"}), 25, 1e-10);
  EXPECT_EQ(Ter({}).SentenceScore("a b c d", Lines{"b c d a"}).Format(1, true),
            "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0 = 25.0");
}

TEST(Ter, MayExceedHundred) {
  EXPECT_EQ(Score({}, "x y z", {"a"}), 300);
}

TEST(Ter, FewestEditsOverAverageReferenceLength) {
  const Ter ter({});
  const Lines hypotheses = {"a b"};
  const std::vector<Lines> references = {{"a b c"}, {"a b c d"}};
  EXPECT_THAT(ter.Statistics(hypotheses, references).values, ElementsAre(1, 3.5));
  EXPECT_NEAR(ter.CorpusScore(hypotheses, references).score, 100 / 3.5, 1e-10);
}

TEST(Ter, EmptySides) {
  EXPECT_EQ(Score({}, "", {"a b"}), 100);
  EXPECT_EQ(Score({}, "a b", {""}), 100);
  EXPECT_EQ(Score({}, "", {""}), 0);
}

TEST(Ter, CaseIsIgnoredUnlessAskedFor) {
  EXPECT_EQ(Score({}, "Ein HUND", {"ein Hund"}), 0);
  EXPECT_EQ(Score({.case_sensitive = true}, "Ein HUND", {"ein Hund"}), 100);
}

TEST(Ter, SignatureNamesTheOptions) {
  EXPECT_EQ(Ter({.tokenizer = {.normalized = true,
                               .no_punct = true,
                               .asian_support = true,
                               .case_sensitive = true}})
                .Signature({}),
            "nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:2.6.0");
}

// One pass leaves "it's x" (the no-break space hides the possessive), a second gives "it 's x".
TEST(Ter, ReferencesAreTokenizedTwice) {
  EXPECT_NEAR(Score({.normalized = true}, "it's\u00A0x", {"it's\u00A0x"}), 200.0 / 3, 1e-10);
}

TEST(Ter, ResampleScoreIsFloat32UnlessReferencesAreEmpty) {
  const Ter ter({});
  const std::vector<float> usual = {1, 3};
  const std::vector<float> no_reference = {4, 0};
  const std::vector<float> nothing = {0, 0};
  EXPECT_EQ(ter.ScoreResample(usual).value, 100.0F * (1.0F / 3.0F));
  EXPECT_TRUE(ter.ScoreResample(usual).is_float32);
  EXPECT_EQ(ter.ScoreResample(no_reference).value, 100);
  EXPECT_FALSE(ter.ScoreResample(no_reference).is_float32);
  EXPECT_EQ(ter.ScoreResample(nothing).value, 0);
}

}  // namespace
}  // namespace heed
