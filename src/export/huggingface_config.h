// The small files of a directory for Hugging Face's transformers: configuration, generation
// settings, tokenizer and model card.
#pragma once

#include <cstdint>
#include <filesystem>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

// The classes index beyond a table's end without a check; Marian's own models have 512.
inline constexpr int64_t kHuggingFacePositions = 1024;

// Id of the padding token: the first after those of both vocabularies.
int64_t HuggingFacePadding(const ModelSource& model);

void WriteHuggingFaceConfig(const ModelSource& model, ElementType type,
                            const std::filesystem::path& directory);

}  // namespace heed
