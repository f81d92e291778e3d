// Writes a model of another toolkit as one of ours: a directory that `heed translate` reads.
#pragma once

#include <filesystem>
#include <string>

#include "backend/backend.h"
#include "config/enum_names.h"
#include "export/imported_model.h"

namespace heed {

enum class ImportFormat { kCtranslate2, kMarian, kHuggingFace, kArgos, kHeed };
constexpr auto EnumNames(ImportFormat /*tag*/) {
  return std::to_array<EnumName<ImportFormat>>({{ImportFormat::kCtranslate2, "ctranslate2"},
                                                {ImportFormat::kMarian, "marian"},
                                                {ImportFormat::kHuggingFace, "huggingface"},
                                                {ImportFormat::kArgos, "argos"},
                                                {ImportFormat::kHeed, "heed"}});
}

struct ImportOptions {
  ImportFormat format = ImportFormat::kCtranslate2;
  ImportVocabularies vocabularies = {};
  std::string source_language = {},
              target_language = {};  // for the recipe; empty = as the files say
};

// `model` is a directory, a file, or an archive (.zip, .argosmodel), which is unpacked beside the
// output as long as it is read. `output` appears whole or not at all and must not exist. Runs the
// model on made-up sentences before: one that gives no finite log-probabilities is refused. Returns
// the model's shape. Throws UserError if the files are broken or hold what Heed cannot compute.
TransformerShape ImportModel(const std::filesystem::path& model, const ImportOptions& options,
                             const std::filesystem::path& output, Backend& backend);

}  // namespace heed
