// Packages of Argos Translate translate here as in CTranslate2: tests/export/argos_client.py.
#include <gtest/gtest.h>

#include "export/import_model.h"
#include "tests/export/client.h"
#include "tests/export/client_cases.h"

namespace heed {
namespace {

TEST(ArgosClient, ImportedPackagesTranslateAsCtranslate2Does) {
  const TemporaryDirectory directory;
  WriteFile(directory / "source.spm", MakeVocabularies(SmallRecipe()).source->serialized());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "argos_client.py", directory.path());
  const auto backend = MakeBackend({});
  auto cases = Json::array();
  for (const std::string name : {"argos_tied", "argos_untied"}) {
    const auto imported = directory / (name + "_imported");
    ImportModel(directory / (name + ".argosmodel"), {.format = ImportFormat::kArgos}, imported,
                *backend);
    Json made = DescribeTranslations(imported, *backend);
    made["name"] = name;
    cases.push_back(std::move(made));
  }
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "argos_client.py", directory.path());
}

}  // namespace
}  // namespace heed
