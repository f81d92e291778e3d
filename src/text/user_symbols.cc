#include "text/user_symbols.h"

#include <algorithm>

#include "text/subword_pieces.h"
#include "util/check.h"
#include "util/protobuf_writer.h"

namespace heed {
namespace {

// SentencePiece writes spaces of the text as U+2581.
std::string WithoutSpaces(std::string_view symbol) {
  std::string text;
  for (const char c : symbol) text += c == ' ' ? std::string("\u2581") : std::string(1, c);
  return text;
}

// A score of 0, which is the default, needs no field.
std::string SerializePiece(std::string_view text) {
  constexpr uint32_t kText = 1, kKind = 3;
  ProtobufWriter piece;
  piece.Bytes(kText, text);
  piece.Number(kKind, static_cast<int64_t>(PieceKind::kUserSymbol));
  return piece.bytes();
}

}  // namespace

// Repeated fields may stand anywhere in a message, so what is appended comes after the last piece.
std::string AddUserSymbols(const std::string& model, const std::vector<std::string>& symbols) {
  constexpr uint32_t kPieces = 1;
  const std::vector<SubwordPiece> pieces = ParseSubwordPieces(model).pieces;
  ProtobufWriter added;
  for (const std::string& symbol : symbols) {
    const std::string text = WithoutSpaces(symbol);
    const auto found = std::ranges::find(pieces, text, &SubwordPiece::text);
    if (found == pieces.end()) {
      added.Bytes(kPieces, SerializePiece(text));
    } else if (found->kind == PieceKind::kNormal) {
      ThrowUserError(
          "vocabulary.user_symbols has '{}', which is an ordinary piece of the given model and "
          "may be part of longer ones; choose another string",
          symbol);
    }
  }
  return model + added.bytes();
}

}  // namespace heed
