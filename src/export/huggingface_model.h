// Reads a Hugging Face directory of Marian's or Pegasus' class as one of our models, by what the
// files say of themselves.
#pragma once

#include <filesystem>

#include "export/read_back.h"

namespace heed {

// The model's positions are the stored table ("learned"), its vocabulary includes the padding
// token, and it starts decoding from the token that the configuration names. Throws UserError if a
// file is broken or the model has something that Heed lacks.
ReadBackModel ReadHuggingFaceModel(const std::filesystem::path& directory);

}  // namespace heed
