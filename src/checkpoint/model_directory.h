// Finding and loading the model that a command line names. Needs no CheckpointStore and no lock, so
// it works beside a training.
#pragma once

#include <filesystem>
#include <string>

#include "tensor/parameter_store.h"

namespace heed {

// The directory of the model that `model` names: itself if it holds one (a checkpoint, an average,
// a link such as runs/x/best), else, of a run, its best or else its last checkpoint. Links are
// resolved, so that it stays the same model while a training goes on. Throws UserError.
std::filesystem::path FindModel(const std::filesystem::path& model);

// The file that holds the weights to translate with: the moving average if there is one.
std::string WeightsFile(const std::filesystem::path& directory);

// Checks that file and fills the values of the store, which is in host memory. Throws UserError if
// the file is damaged or the model differs.
void LoadModel(const std::filesystem::path& directory, const ParameterStore& parameters);

}  // namespace heed
