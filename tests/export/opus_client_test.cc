// Models as OPUS-MT gives them out translate here as in CTranslate2: tests/export/opus_client.py.
#include <gtest/gtest.h>

#include "export/import_model.h"
#include "tests/export/client.h"
#include "tests/export/client_cases.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(OpusClient, ImportedModelsTranslateAsConvertedOnes) {
  const TemporaryDirectory directory;
  const Vocabularies vocabularies = MakeVocabularies(ListedRecipe());
  WriteFile(directory / "source.spm", vocabularies.source->serialized());
  WriteFile(directory / "target.spm", vocabularies.target->serialized());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "opus_client.py", directory.path());
  const auto backend = MakeBackend({});
  auto cases = Json::array();
  for (const char* name : {"opus_swish_tied", "opus_relu_source_tied", "opus_relu_output_tied",
                           "opus_pre_norm_untied"}) {
    const fs::path imported = directory / (std::string(name) + "_imported");
    ImportModel(directory / (std::string(name) + ".zip"), {.format = ImportFormat::kMarian},
                imported, *backend);
    Json made = DescribeTranslations(imported, *backend);
    made["name"] = name;
    cases.push_back(std::move(made));
  }
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "opus_client.py", directory.path());
}

}  // namespace
}  // namespace heed
