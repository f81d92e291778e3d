// How a SentencePiece model rewrites text before it is split into pieces.
#pragma once

#include <string>
#include <string_view>

namespace heed {

struct NormalizerRules {
  std::string character_map;      // compiled, as SentencePiece stores it; empty = nothing is mapped
  bool begins_with_space = true;  // a space is put before the text
  bool joins_spaces = true;       // runs of spaces become one, none stays at either end
};

// Reads a serialized ModelProto. Throws UserError if it is none.
NormalizerRules ParseNormalizerRules(std::string_view model);

}  // namespace heed
