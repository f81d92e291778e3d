#include "export/argos_import.h"

#include <nlohmann/json.hpp>
#include <string>

#include "export/ctranslate2_import.h"
#include "util/check.h"
#include "util/json_file.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// "" if there is no such text.
std::string TextOf(const nlohmann::json& metadata, const char* key) {
  if (!metadata.is_object() || !metadata.contains(key)) return "";
  const nlohmann::json& value = metadata.at(key);
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace

ImportedModel ImportArgos(const fs::path& package, const ImportVocabularies& given) {
  const nlohmann::json metadata = ReadJsonFile(package / "metadata.json");
  std::error_code ignored;
  const bool has_model = fs::exists(package / "sentencepiece.model", ignored);
  if (!has_model && fs::exists(package / "bpe.model", ignored)) {
    ThrowUserError(
        "{} cuts text with byte-pair codes (bpe.model), which Heed does not; packages with a "
        "sentencepiece.model can be imported",
        package.string());
  }
  ImportedModel imported = ImportCtranslate2(package / "model", given);
  imported.source_language = TextOf(metadata, "from_code");
  imported.target_language = TextOf(metadata, "to_code");
  if (const std::string prefix = TextOf(metadata, "target_prefix"); !prefix.empty()) {
    HEED_LOG(warn,
             "this package translates with the prefix '{}'; give it with heed translate "
             "--prefix",
             prefix);
  }
  return imported;
}

}  // namespace heed
