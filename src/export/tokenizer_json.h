// tokenizer.json, the file of Hugging Face's tokenizers library: for fast tokenizers,
// transformers.js and whatever else reads no SentencePiece models.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "text/tokenizer.h"

namespace heed {

// The classes need a padding token, which Heed does not have: one more token than the pieces.
inline constexpr const char* kHuggingFacePaddingPiece = "<pad>";

// There is none of models of whole words or characters, nor of vocabularies with a list of pieces.
bool HasTokenizerJson(const Tokenizer& tokenizer);

// The file of a unigram or BPE vocabulary with the padding token as id `padding`, which no piece
// has. Splits text as the SentencePiece model does, except that the names of marks in a text are
// the marks.
nlohmann::ordered_json MakeTokenizerJson(const Tokenizer& tokenizer, int64_t padding);

// {piece: id, ...} with the padding token.
nlohmann::ordered_json PieceIds(const Tokenizer& tokenizer, int64_t padding);

}  // namespace heed
