// The real CTranslate2 runs our exports: tests/export/ctranslate2_client.py.
#include <gtest/gtest.h>

#include "tests/export/client.h"
#include "tests/export/client_cases.h"

namespace heed {
namespace {

TEST(Ctranslate2Client, TranslatesAndScoresOurExportsAsWeDo) {
  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<ModelOnDisk>> disks;
  auto cases = Json::array();
  const auto add = [&](size_t disk, const std::string& name, ElementType type) {
    cases.push_back(
        MakeClientCase(*disks[disk], name, {ExportFormat::kCtranslate2, type}, *backend));
  };
  std::vector<ModelVariant> variants = ExportVariants();
  variants.emplace_back("post_silu_listed", ListedRecipe());
  for (const ModelVariant& variant : variants) {
    disks.push_back(std::make_unique<ModelOnDisk>(variant.recipe));
    add(disks.size() - 1, variant.name, ElementType::kFloat32);
  }
  for (const ElementType type :
       {ElementType::kFloat16, ElementType::kBfloat16, ElementType::kInt8}) {
    add(0, "post_relu", type);
    add(1, "pre_gelu_begin", type);
  }
  const TemporaryDirectory directory;
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "ctranslate2_client.py", directory / "cases.json");
}

}  // namespace
}  // namespace heed
