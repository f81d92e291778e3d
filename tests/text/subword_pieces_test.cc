#include "text/subword_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/text/sample_text.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(SubwordPieces, ReadsHandWrittenMessages) {
  using std::string_literals::operator""s;
  // piece {text "ab", score -1.5}, piece {text "<unk>", kind unknown}, trainer {kind bpe,
  // byte_fallback}, and fields that are skipped: a varint, 8 and 4 fixed bytes.
  const std::string model =
      "\x0A\x09\x0A\x02"
      "ab\x15\x00\x00\xC0\xBF"
      "\x0A\x09\x0A\x05<unk>\x18\x02"
      "\x12\x05\x18\x02\x98\x02\x01"
      "\x20\x96\x01"
      "\x29\x01\x02\x03\x04\x05\x06\x07\x08"
      "\x35\x01\x02\x03\x04"s;
  const SubwordPieces result = ParseSubwordPieces(model);
  EXPECT_EQ(result.kind, SubwordKind::kBpe);
  EXPECT_TRUE(result.byte_fallback);
  ASSERT_EQ(result.pieces.size(), 2U);
  EXPECT_EQ(result.pieces[0].text, "ab");
  EXPECT_EQ(result.pieces[0].score, -1.5F);
  EXPECT_EQ(result.pieces[0].kind, PieceKind::kNormal);
  EXPECT_EQ(result.pieces[1].text, "<unk>");
  EXPECT_EQ(result.pieces[1].score, 0.0F);
  EXPECT_EQ(result.pieces[1].kind, PieceKind::kUnknown);
}

TEST(SubwordPieces, ReadsTrainedModels) {
  const SubwordPieces unigram =
      ParseSubwordPieces(SampleModel(SubwordKind::kUnigram, true, {"<de>", ","}));
  EXPECT_EQ(unigram.kind, SubwordKind::kUnigram);
  EXPECT_TRUE(unigram.byte_fallback);
  EXPECT_EQ(unigram.pieces.size(), 346U);
  EXPECT_EQ(unigram.pieces[0].text, "</s>");
  EXPECT_EQ(unigram.pieces[0].kind, PieceKind::kControl);
  EXPECT_EQ(unigram.pieces[1].kind, PieceKind::kUnknown);
  EXPECT_EQ(unigram.pieces[2].text, "<de>");
  EXPECT_EQ(unigram.pieces[2].kind, PieceKind::kUserSymbol);
  EXPECT_EQ(unigram.pieces[3].text, ",");
  EXPECT_EQ(std::count_if(unigram.pieces.begin(), unigram.pieces.end(),
                          [](const SubwordPiece& piece) { return piece.kind == PieceKind::kByte; }),
            256);
  const SubwordPieces bpe = ParseSubwordPieces(SampleModel(SubwordKind::kBpe, false));
  EXPECT_EQ(bpe.kind, SubwordKind::kBpe);
  EXPECT_FALSE(bpe.byte_fallback);
}

TEST(SubwordPieces, DamageIsAUserError) {
  for (const std::string& model :
       {std::string(), std::string("\x0A\x09\x0A\x02"), std::string("\x0A\xFF\xFF\xFF"),
        std::string(20, '\xFF'), std::string("\x0B"), std::string("plain text, no model")}) {
    EXPECT_THROW(ParseSubwordPieces(model), UserError) << model;
  }
}

TEST(SubwordPieces, APieceOfAMegabyteIsAUserError) {
  constexpr size_t kBytes = size_t{1} << 20;  // 3 bytes as a varint
  const std::string piece = "\x0A\x80\x80\x40" + std::string(kBytes, 'a');
  EXPECT_THROW(ParseSubwordPieces("\x0A\x84\x80\x40" + piece), UserError);
}

}  // namespace
}  // namespace heed
