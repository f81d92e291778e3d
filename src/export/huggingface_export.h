// Exports a directory for Hugging Face's transformers: MarianMTModel for post-norm models,
// PegasusForConditionalGeneration for pre-norm ones, both with Marian's tokenizer.
//
// The classes need a padding token, which Heed does not have: it becomes one more token, after all
// others, with a row of zeros, which also is the zero vector that most models start decoding from,
// and a logit so low that it is never produced.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

std::vector<std::string> FindHuggingFaceObstacles(const ModelSource& model, ElementType type);
void WriteHuggingFaceModel(const ModelSource& model, ElementType type,
                           const std::filesystem::path& directory);

}  // namespace heed
