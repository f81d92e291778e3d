// The average of the weights of several checkpoints of one run, a model of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace heed {

// The newest `count` checkpoints of a run, oldest first. Throws UserError if it has fewer.
std::vector<std::filesystem::path> LastCheckpoints(const std::filesystem::path& run, int64_t count);

// Writes a model directory: the mean of the weights to translate with (model_directory.h), with the
// recipe and vocabulary of the newest. Checkpoints are added up in double in the order of their
// updates, so the result does not depend on the order of `models`. Returns the updates, ascending.
// Throws UserError if `output` exists, if two are of the same update, if a file is damaged, or if
// tensors or vocabularies differ.
std::vector<int64_t> AverageCheckpoints(const std::vector<std::filesystem::path>& models,
                                        const std::filesystem::path& output);

}  // namespace heed
