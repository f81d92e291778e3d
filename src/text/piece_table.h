// The pieces of a SentencePiece model, ready for segmenting text that it has normalised.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/piece_trie.h"
#include "text/subword_pieces.h"

namespace heed {

class PieceTable {
 public:
  explicit PieceTable(const SubwordPieces& pieces);

  // Pieces that segmentations are made of: no marks, no user symbols, no bytes, none marked unused.
  const PieceTrie& ordinary() const { return ordinary_; }
  float score(int32_t id) const { return scores_[static_cast<size_t>(id)]; }
  // SentencePiece's price of a character without a piece: 10 below the worst score.
  double unknown_score() const { return unknown_score_; }

  // The user symbol that `text` starts with, the longest if there are several; its length in bytes
  // is 0 if there is none.
  struct Match {
    int64_t length = 0;
    int32_t id = -1;
  };
  Match MatchUserSymbol(std::string_view text) const;

  // Appends what stands for a character without a piece: its bytes, or one unknown for a whole run
  // of such characters.
  void AppendUnknown(std::string_view character, std::vector<int32_t>* ids) const;

 private:
  PieceTrie ordinary_, user_symbols_;
  std::vector<float> scores_;          // [vocabulary]
  std::array<int32_t, 256> byte_ids_;  // -1 without byte fallback
  int32_t unknown_id_ = -1;
  double unknown_score_ = 0;
};

// Bytes of the UTF-8 character that starts with `first`, if it is well formed.
constexpr int64_t CharacterLength(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace heed
