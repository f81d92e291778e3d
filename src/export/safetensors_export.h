// Exports Heed's own model directory without its training state: weights in one safetensors file,
// perhaps in 16 bits, recipe, vocabularies and a config.json for other programs. `heed translate`
// reads it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/element_type.h"
#include "export/model_source.h"
#include "export/read_back.h"

namespace heed {

std::vector<std::string> FindSafetensorsObstacles(const ModelSource& model, ElementType type);
void WriteSafetensorsModel(const ModelSource& model, ElementType type,
                           const std::filesystem::path& directory);
ReadBackModel ReadSafetensorsModel(const std::filesystem::path& directory);

}  // namespace heed
