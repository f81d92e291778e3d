// Rules between the fields of a recipe; what concerns one field alone is in its field list.
#pragma once

#include <string>

#include "config/problems.h"
#include "config/recipe.h"

namespace heed {

// Throws UserError with one line per broken rule; each names its keys and, as far as `positions`
// knows, their places. `source` stands for a place that is not known.
void Validate(const Recipe& recipe, const KeyPositions& positions = {},
              const std::string& source = "recipe");

// What training needs beyond a valid recipe: a corpus to train on, a reason to stop, and data for
// whatever depends on validation. Throws UserError.
void CheckReadyToTrain(const Recipe& recipe);

// What `heed evaluate` needs: a test set. Throws UserError.
void CheckReadyToEvaluate(const Recipe& recipe);

}  // namespace heed
