// The text of `heed help recipe`: every key with default, type, range and meaning, generated from
// the field lists that read them.
#pragma once

#include <string>

namespace heed {

// Help for all of a recipe, or for the section or key at `path` ("training.schedule"), in at most
// 100 columns. Throws UserError if there is no such key, with the nearest one.
std::string RecipeHelp(const std::string& path = "");

}  // namespace heed
