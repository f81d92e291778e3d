// Reads a Hugging Face directory of Marian's, Pegasus' or M2M100's class as one of our models, by
// what the files say of themselves.
#pragma once

#include <filesystem>

#include "export/huggingface_class.h"
#include "export/huggingface_weights.h"
#include "export/read_back.h"

namespace heed {

struct HuggingFaceModel {
  HuggingFaceClass type;  // with output_bias as the weights have it
  HuggingFaceWeights weights;
  TensorNames names;  // of all parameters but positions
};

// Throws UserError if a file is broken or the model has something that Heed lacks.
HuggingFaceModel OpenHuggingFace(const std::filesystem::path& directory);

// One of our exports, whose positions are the stored table ("learned"), whose vocabulary includes
// the padding token, and which starts decoding from the token that the configuration names.
ReadBackModel ReadHuggingFaceModel(const std::filesystem::path& directory);

}  // namespace heed
