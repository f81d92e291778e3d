#include "export/marian_vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/export_fixture.h"

namespace heed {
namespace {

TEST(MarianVocabulary, EveryPieceHasALineByItsId) {
  const Vocabularies vocabularies = MakeVocabularies(SmallRecipe());
  const std::string yaml = MarianVocabularyYaml(*vocabularies.source);
  EXPECT_THAT(yaml, testing::StartsWith("\"</s>\": 0\n\"<unk>\": 1\n"));
  EXPECT_EQ(std::ranges::count(yaml, '\n'), 90);
  EXPECT_THAT(yaml,
              testing::HasSubstr(fmt::format("\"{}\": 57\n", vocabularies.source->piece(57))));
}

TEST(MarianVocabulary, EscapesWhatYamlWouldTakeForSomethingElse) {
  EXPECT_EQ(QuotedPiece("\xE2\x96\x81gr\xC3\xBCn: #1"), "\"\xE2\x96\x81gr\xC3\xBCn: #1\"");
  EXPECT_EQ(QuotedPiece("\"\\"), R"("\"\\")");
  EXPECT_EQ(QuotedPiece("\n"), R"("\x0A")");
  EXPECT_EQ(QuotedPiece("\x7F"), R"("\x7F")");
  EXPECT_EQ(QuotedPiece("\xC2\x85\xC2\xA0"), "\"\\x85\xC2\xA0\"");
  EXPECT_EQ(QuotedPiece("a\xE2\x80\xA8"), R"("a\u2028")");
  EXPECT_EQ(QuotedPiece(""), "\"\"");
  EXPECT_EQ(QuotedPiece("\xC2"), "\"\xC2\"");  // a broken one stays as it is
}

}  // namespace
}  // namespace heed
