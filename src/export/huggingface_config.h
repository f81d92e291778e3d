// The small files of a directory as Hugging Face lays it out: configuration, generation settings,
// tokenizer and model card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "export/model_source.h"

namespace heed {

// The classes index beyond a table's end without a check; Marian's own models have 512.
inline constexpr int64_t kHuggingFacePositions = 1024;

// Id of the padding token: the first after those of both vocabularies.
int64_t HuggingFacePadding(const ModelSource& model);

// Of the padding token, which is never produced: lower than any logit, and within float16.
inline constexpr float kHuggingFacePaddingLogit = -30000;

// What the formats that share these files say differently.
struct HuggingFaceFlavour {
  std::string model_type, architecture, torch_dtype;  // of config.json
  std::string onnx_dtype;                             // for transformers.js; empty = no ONNX
  std::string library, usage;                         // of the model card
};

void WriteHuggingFaceConfig(const ModelSource& model, const HuggingFaceFlavour& flavour,
                            const std::filesystem::path& directory);

}  // namespace heed
