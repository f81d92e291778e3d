#include "text/piece_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/text/small_table.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;

TEST(PieceTable, SortsPiecesByKind) {
  const PieceTable table(SmallPieces(SubwordKind::kUnigram, true, {{"a", -2}, {"ab", -3.5}}));
  EXPECT_EQ(table.ordinary().Find("a"), 4);
  EXPECT_EQ(table.ordinary().Find("ab"), 5);
  for (const char* text : {"</s>", "<unk>", "<x>", "<0x41>"}) {
    EXPECT_EQ(table.ordinary().Find(text), -1) << text;
  }
  EXPECT_EQ(table.score(5), -3.5F);
  EXPECT_EQ(table.unknown_score(), -13.5);
}

TEST(PieceTable, TheLongestUserSymbolMatches) {
  const PieceTable table(SmallPieces(SubwordKind::kUnigram, true, {{"a", -2}}));
  EXPECT_EQ(table.MatchUserSymbol("<x>z").id, 2);
  EXPECT_EQ(table.MatchUserSymbol("<x>yz").id, 3);
  EXPECT_EQ(table.MatchUserSymbol("<x>yz").length, 4);
  EXPECT_EQ(table.MatchUserSymbol("a<x>").length, 0);
}

TEST(PieceTable, UnknownCharactersBecomeTheirBytesOrOneUnknown) {
  const PieceTable with_bytes(SmallPieces(SubwordKind::kUnigram, true, {{"a", -2}}));
  std::vector<int32_t> ids = {7};
  with_bytes.AppendUnknown("\xC3\xA4", &ids);
  EXPECT_THAT(ids, ElementsAre(7, 5 + 0xC3, 5 + 0xA4));
  const PieceTable without(SmallPieces(SubwordKind::kUnigram, false, {{"a", -2}}));
  ids = {7};
  without.AppendUnknown("\xC3\xA4", &ids);
  without.AppendUnknown("z", &ids);
  EXPECT_THAT(ids, ElementsAre(7, 1));
}

TEST(PieceTable, CharacterLengthsAreThoseOfUtf8) {
  EXPECT_EQ(CharacterLength('a'), 1);
  EXPECT_EQ(CharacterLength('\xC3'), 2);
  EXPECT_EQ(CharacterLength('\xE2'), 3);
  EXPECT_EQ(CharacterLength('\xF0'), 4);
}

TEST(PieceTable, AVocabularyWithoutUnknownIsABug) {
  EXPECT_THROW(PieceTable(SubwordPieces{}), InternalError);
}

}  // namespace
}  // namespace heed
