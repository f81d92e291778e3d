#include "text/subword_pieces.h"

#include <bit>

#include "util/check.h"
#include "util/protobuf_reader.h"

namespace heed {
namespace {

// Field numbers of sentencepiece_model.proto.
constexpr uint32_t kModelPieces = 1, kModelTrainerSpec = 2;
constexpr uint32_t kPieceText = 1, kPieceScore = 2, kPieceKind = 3;
constexpr uint32_t kTrainerKind = 3, kTrainerByteFallback = 35;

// Bytes; SentencePiece makes pieces of 16 characters, and users hardly longer symbols. Building a
// PieceTrie takes stack for each.
constexpr size_t kLongestPiece = 4096;

SubwordPiece ParsePiece(ProtobufReader reader) {
  SubwordPiece piece;
  while (const auto field = reader.Next()) {
    if (field->id == kPieceText) piece.text = field->bytes;
    if (field->id == kPieceScore)
      piece.score = std::bit_cast<float>(static_cast<uint32_t>(field->number));
    if (field->id == kPieceKind) piece.kind = static_cast<PieceKind>(field->number);
  }
  if (piece.text.size() > kLongestPiece) {
    ThrowUserError("a piece of this SentencePiece model has {} bytes, more than {}",
                   piece.text.size(), kLongestPiece);
  }
  return piece;
}

void ParseTrainerSpec(ProtobufReader reader, SubwordPieces* result) {
  while (const auto field = reader.Next()) {
    if (field->id == kTrainerKind) result->kind = static_cast<SubwordKind>(field->number);
    if (field->id == kTrainerByteFallback) result->byte_fallback = field->number != 0;
  }
}

}  // namespace

SubwordPieces ParseSubwordPieces(std::string_view model) {
  SubwordPieces result;
  ProtobufReader reader(model, kNoSentencePieceModel);
  while (const auto field = reader.Next()) {
    if (field->id == kModelPieces) result.pieces.push_back(ParsePiece(reader.Inside(*field)));
    if (field->id == kModelTrainerSpec) ParseTrainerSpec(reader.Inside(*field), &result);
  }
  if (result.pieces.empty()) reader.ThrowDamaged();
  return result;
}

}  // namespace heed
