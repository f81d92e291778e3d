// Pieces added to a SentencePiece model that exists, for fine-tuning: new marks, tags, languages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// The serialized `model` with a piece at its end for each of `symbols` that it lacks; old ids stay
// and the new symbols are never split. Throws UserError, naming the symbol, if one is an ordinary
// piece already, which cannot promise that.
std::string AddUserSymbols(const std::string& model, const std::vector<std::string>& symbols);

}  // namespace heed
