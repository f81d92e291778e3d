// A recipe as YAML, complete and in the order of the field lists; reading it back gives an equal
// recipe. This is what a run stores with each checkpoint and prints before the first update.
#pragma once

#include <string>

#include "config/recipe.h"

namespace heed {

enum class RecipeComments { kNone, kMeanings };

std::string WriteRecipe(const Recipe& recipe, RecipeComments comments = RecipeComments::kNone);

}  // namespace heed
