// Exports a directory for CTranslate2 (github.com/OpenNMT/CTranslate2): model.bin, config.json,
// vocabularies and SentencePiece models.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

std::vector<std::string> FindCtranslate2Obstacles(const ModelSource& model, ElementType type);
void WriteCtranslate2Model(const ModelSource& model, ElementType type,
                           const std::filesystem::path& directory);

}  // namespace heed
