// What is inside a SentencePiece model: the pieces with their scores and kinds. SentencePiece's
// own interface does not tell which pieces are user symbols, nor whether the model is unigram or
// BPE, and its random sampling cannot be repeated; subword_sampler.h samples from these pieces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

inline constexpr std::string_view kNoSentencePieceModel =
    "this is no SentencePiece model, or a damaged one; train it again";

// Numbers as in sentencepiece_model.proto.
enum class PieceKind {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserSymbol = 4,
  kUnused = 5,
  kByte = 6
};
enum class SubwordKind { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };

struct SubwordPiece {
  std::string text;
  float score = 0;  // unigram: log-probability; bpe: minus the rank of the merge
  PieceKind kind = PieceKind::kNormal;
};

struct SubwordPieces {
  SubwordKind kind = SubwordKind::kUnigram;
  bool byte_fallback = false;        // unknown characters become byte pieces
  std::vector<SubwordPiece> pieces;  // [vocabulary]; the index is the id
};

// Reads a serialized ModelProto. Throws UserError if it is none.
SubwordPieces ParseSubwordPieces(std::string_view model);

}  // namespace heed
