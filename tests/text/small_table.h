// A vocabulary small enough to reckon with by hand.
#pragma once

#include <utility>
#include <vector>

#include "text/subword_pieces.h"

namespace heed {

// </s> 0, <unk> 1, <x> 2, <xy> 3 (user symbols), then the given pieces from 4; bytes after them.
inline SubwordPieces SmallPieces(SubwordKind kind, bool byte_fallback,
                                 const std::vector<std::pair<std::string, float>>& pieces) {
  SubwordPieces result;
  result.kind = kind;
  result.byte_fallback = byte_fallback;
  result.pieces = {{"</s>", 0, PieceKind::kControl},
                   {"<unk>", 0, PieceKind::kUnknown},
                   {"<x>", 0, PieceKind::kUserSymbol},
                   {"<x>y", 0, PieceKind::kUserSymbol}};
  for (const auto& [text, score] : pieces)
    result.pieces.push_back({text, score, PieceKind::kNormal});
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (size_t byte = 0; byte_fallback && byte < 256; ++byte) {
    result.pieces.push_back(
        {std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 0, PieceKind::kByte});
  }
  return result;
}

}  // namespace heed
