// The tokenizer of TER: tercom's Normalizer as sacreBLEU has it.
#pragma once

#include <string>
#include <string_view>

namespace heed {

struct TerTokenizerOptions {
  bool normalized = false;     // resolve entities and set punctuation apart
  bool no_punct = false;       // remove . , ? : ; ! " ( )
  bool asian_support = false;  // with `normalized`: each CJK character apart; with `no_punct`: also
                               // remove CJK and full-width punctuation; else without effect
  bool case_sensitive = false;  // false: lower-case first
};

// The words of `line`, joined by single spaces.
std::u32string TokenizeForTer(const TerTokenizerOptions& options, std::u32string_view line);

}  // namespace heed
