// Other toolkits number the pieces of a SentencePiece model as they like. This finds the rows of
// their tables that belong to our ids, which are SentencePiece's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

// How a toolkit writes the marks, which need not be how the SentencePiece model writes them.
struct MarkNames {
  std::string unknown, end, begin;
};

// Element id is the place of the tokenizer's piece `id` in `list`: of the marks by their role, of
// all others by how they are written. What else the list holds is not used. Throws UserError, which
// names `list_name`, if a piece is missing or the list has one twice.
std::vector<int64_t> VocabularyOrder(const Tokenizer& tokenizer,
                                     const std::vector<std::string>& list, const MarkNames& marks,
                                     const std::string& list_name);

}  // namespace heed
