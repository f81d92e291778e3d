// The tokenizer files of a Hugging Face directory: what MarianTokenizer reads (SentencePiece models
// and vocabularies), and tokenizer.json beside it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "export/model_source.h"

namespace heed {

// Every reason why these files cannot hold the vocabularies.
void AddHuggingFaceTokenizerObstacles(const Vocabularies& vocabularies,
                                      std::vector<std::string>* reasons);

// `padding` is the id of the padding token, `max_length` how many tokens the model takes. Two
// vocabularies have no tokenizer.json.
void WriteHuggingFaceTokenizer(const ModelSource& model, int64_t padding, int64_t max_length,
                               const std::filesystem::path& directory);

}  // namespace heed
