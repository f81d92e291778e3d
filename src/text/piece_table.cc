#include "text/piece_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "util/check.h"

namespace heed {
namespace {

constexpr double kUnknownPenalty = 10;  // as in SentencePiece's unigram_model.cc

PieceTrie TrieOf(const SubwordPieces& pieces, PieceKind kind) {
  std::vector<std::pair<std::string_view, int32_t>> entries;
  for (size_t id = 0; id < pieces.pieces.size(); ++id) {
    const SubwordPiece& piece = pieces.pieces[id];
    if (piece.kind == kind) entries.emplace_back(piece.text, static_cast<int32_t>(id));
  }
  return PieceTrie(std::move(entries));
}

}  // namespace

PieceTable::PieceTable(const SubwordPieces& pieces)
    : ordinary_(TrieOf(pieces, PieceKind::kNormal)),
      user_symbols_(TrieOf(pieces, PieceKind::kUserSymbol)) {
  byte_ids_.fill(-1);
  double worst = 0;
  for (size_t i = 0; i < pieces.pieces.size(); ++i) {
    const SubwordPiece& piece = pieces.pieces[i];
    const auto id = static_cast<int32_t>(i);
    scores_.push_back(piece.score);
    if (piece.kind == PieceKind::kUnknown) unknown_id_ = id;
    if (piece.kind == PieceKind::kNormal) worst = std::min<double>(worst, piece.score);
    if (piece.kind == PieceKind::kByte && pieces.byte_fallback) {
      byte_ids_[std::stoul(piece.text.substr(1), nullptr, 16) % 256] = id;  // "<0x0A>"
    }
  }
  HEED_CHECK(unknown_id_ >= 0, "a SentencePiece model without an unknown piece");
  unknown_score_ = worst - kUnknownPenalty;
}

PieceTable::Match PieceTable::MatchUserSymbol(std::string_view text) const {
  Match match;
  user_symbols_.ForEachPrefix(text, [&](int64_t length, int32_t id) { match = {length, id}; });
  return match;
}

void PieceTable::AppendUnknown(std::string_view character, std::vector<int32_t>* ids) const {
  if (byte_ids_[0] < 0) {
    if (ids->empty() || ids->back() != unknown_id_) ids->push_back(unknown_id_);
    return;
  }
  for (const char byte : character) ids->push_back(byte_ids_[static_cast<unsigned char>(byte)]);
}

}  // namespace heed
