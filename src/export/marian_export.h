// Exports a directory for Marian (marian-nmt.github.io): model.npz or model.bin, decoder.yml,
// SentencePiece models, and vocabularies in YAML: for converters, or for Marian itself if the ids
// are not SentencePiece's; then it translates what the SentencePiece models have cut into pieces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

std::vector<std::string> FindMarianBinObstacles(const ModelSource& model, ElementType type);
std::vector<std::string> FindMarianNpzObstacles(const ModelSource& model, ElementType type);
void WriteMarianBinModel(const ModelSource& model, ElementType type,
                         const std::filesystem::path& directory);
void WriteMarianNpzModel(const ModelSource& model, ElementType type,
                         const std::filesystem::path& directory);

}  // namespace heed
