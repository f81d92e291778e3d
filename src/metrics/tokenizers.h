// The tokenizers of BLEU, equal to sacreBLEU's.
//
//   13a   mteval-v13a.pl: ASCII punctuation; what "sacreBLEU" means without a qualifier
//   intl  mteval-v14.pl: all Unicode punctuation (except between digits) and symbols
//   zh    each Chinese character apart, the rest as 13a
//   char  each character apart
//   none  splits at whitespace only: for text that is already tokenized
// Non-goals: Japanese and Korean morphology, SentencePiece tokenizers.
#pragma once

#include <string>
#include <string_view>

namespace heed {

enum class BleuTokenizer { k13a, kIntl, kZh, kChar, kNone };

// The name in signatures and recipes.
std::string_view TokenizerName(BleuTokenizer tokenizer);

// Throws UserError on an unknown name and lists the known ones.
BleuTokenizer ParseBleuTokenizer(std::string_view name);

// Tokens are separated by whitespace in the result; `line` has no trailing whitespace.
std::u32string TokenizeForBleu(BleuTokenizer tokenizer, std::u32string_view line);

}  // namespace heed
