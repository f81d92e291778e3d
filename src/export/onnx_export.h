// Exports ONNX files for ONNX Runtime and what runs on it (transformers.js, Hugging Face's
// Optimum): an encoder, a decoder with a cache of keys and values, and configuration and tokenizer
// files as in the export for transformers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

std::vector<std::string> FindOnnxObstacles(const ModelSource& model, ElementType type);
void WriteOnnxModel(const ModelSource& model, ElementType type,
                    const std::filesystem::path& directory);

}  // namespace heed
