// Reads the tensors of our own ONNX files as one of our models, by what the graphs say of
// themselves. Only the real ONNX Runtime, in the tests, tells what the graphs compute.
#pragma once

#include <filesystem>

#include "export/read_back.h"

namespace heed {

// The model's positions are the stored table ("learned"), its vocabularies include the padding
// token, source and target have a table each, and it starts decoding from the token that
// config.json names. Throws UserError if a file is broken.
ReadBackModel ReadOnnxModel(const std::filesystem::path& directory);

}  // namespace heed
