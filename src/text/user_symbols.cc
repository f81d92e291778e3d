#include "text/user_symbols.h"

#include <algorithm>

#include "text/subword_pieces.h"
#include "util/check.h"

namespace heed {
namespace {

// A field of a protocol buffer: its tag and length are below 128 here or take a second byte.
void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

void AppendBytes(uint32_t field, std::string_view bytes, std::string* out) {
  constexpr uint32_t kLengthDelimited = 2;
  AppendVarint(field << 3 | kLengthDelimited, out);
  AppendVarint(bytes.size(), out);
  out->append(bytes);
}

// SentencePiece writes spaces of the text as U+2581.
std::string WithoutSpaces(std::string_view symbol) {
  std::string text;
  for (const char c : symbol) text += c == ' ' ? std::string("\u2581") : std::string(1, c);
  return text;
}

// A score of 0, which is the default, needs no field.
std::string SerializePiece(std::string_view text) {
  constexpr uint32_t kText = 1, kKind = 3;
  std::string piece;
  AppendBytes(kText, text, &piece);
  AppendVarint(kKind << 3, &piece);
  AppendVarint(static_cast<uint64_t>(PieceKind::kUserSymbol), &piece);
  return piece;
}

}  // namespace

// Repeated fields may stand anywhere in a message, so what is appended comes after the last piece.
std::string AddUserSymbols(std::string model, const std::vector<std::string>& symbols) {
  constexpr uint32_t kPieces = 1;
  const std::vector<SubwordPiece> pieces = ParseSubwordPieces(model).pieces;
  for (const std::string& symbol : symbols) {
    const std::string text = WithoutSpaces(symbol);
    const auto found = std::ranges::find(pieces, text, &SubwordPiece::text);
    if (found == pieces.end()) {
      AppendBytes(kPieces, SerializePiece(text), &model);
    } else if (found->kind == PieceKind::kNormal) {
      ThrowUserError(
          "vocabulary.user_symbols has '{}', which is an ordinary piece of the given model and "
          "may be part of longer ones; choose another string",
          symbol);
    }
  }
  return model;
}

}  // namespace heed
