// Marian's vocabulary files in YAML: a line `"piece": id` for each piece, by id. Converters want
// them; marian-decoder itself works with the SentencePiece models.
#pragma once

#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace heed {

std::string MarianVocabularyYaml(const Tokenizer& tokenizer);

// In double quotes, with escapes for what YAML or a reader by lines would take for something else.
std::string QuotedPiece(std::string_view piece);

}  // namespace heed
