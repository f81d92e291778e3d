// Reads Marian's model files as one of our models, by the options that they hold.
#pragma once

#include <filesystem>

#include "export/read_back.h"

namespace heed {

// model.npz or else model.bin of a directory, or such a file. Throws UserError if the file is
// broken, or is a model that Heed cannot run: names every option that stands in the way.
ReadBackModel ReadMarianModel(const std::filesystem::path& path);

}  // namespace heed
