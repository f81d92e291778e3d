// Recipes from files and text: includes, command-line settings, typed reading, derived defaults and
// the rules between fields, with every fault reported at once, each with its place.
#pragma once

#include <string>
#include <vector>

#include "config/recipe.h"

namespace heed {

// Reads the recipe at `path` and what it includes. Each of `settings` is "key.path=value" in YAML
// (`training.batch_tokens=2048`, `data.train.0.weight=2`, `validation.metrics=[nll, bleu]`) and
// wins over the files. The result is complete: name, output and training.schedule.total_updates are
// filled in from what they default to, and what model.initialise_from gives (initial_model.h).
// Throws UserError with one line per problem.
Recipe LoadRecipe(const std::string& path, const std::vector<std::string>& settings = {});

// The same for a text, such as the recipe stored in a checkpoint, which is complete without what it
// started from; `source` names it in messages, and includes are relative to the folder of `source`.
Recipe ParseRecipe(const std::string& text, const std::string& source,
                   const std::vector<std::string>& settings = {});

}  // namespace heed
