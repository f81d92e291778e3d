// Recipes for fine-tuning leave out what the model that they start from already says.
#pragma once

#include "config/config_node.h"
#include "config/problems.h"

namespace heed {

// If the recipe `tree` sets model.initialise_from, fills in from that model's recipe: every key of
// `model` that the tree does not set and, unless the tree names SentencePiece models, the
// vocabulary with its files. Reports a path that holds no model.
void InheritFromInitialModel(ConfigNode& tree, ProblemList& problems);

}  // namespace heed
