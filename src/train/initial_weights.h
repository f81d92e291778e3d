// Starts a new run from a trained model: fine-tuning.
#pragma once

#include <cstdint>

#include "config/recipe.h"
#include "data/vocabulary.h"
#include "train/training_model.h"

namespace heed {

// Fills the model from the one in model.initialise_from, if the recipe names one: with its averaged
// weights or, if training.optimizer.initialise asks for it, with its last weights and its moments.
// Returns how many updates those have seen, 0 for new ones.
//
// Rows of embeddings and outputs are found by their pieces, so that the vocabulary may have grown,
// shrunk or been sorted anew; rows of new pieces keep what they were drawn as. Throws UserError,
// with every difference, if the options of the two models differ in more than dropout, and if a
// file is damaged or missing.
int64_t InitialiseFromModel(const Recipe& recipe, const Vocabularies& vocabularies,
                            TrainingModel* model);

}  // namespace heed
