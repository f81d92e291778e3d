// The real transformers loads our exports: tests/export/huggingface_client.py.
#include <gtest/gtest.h>

#include "tests/export/client.h"
#include "tests/export/client_cases.h"

namespace heed {
namespace {

TEST(HuggingFaceClient, LoadsAndTranslatesOurExportsAsWeDo) {
  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<ModelOnDisk>> disks;
  auto cases = Json::array();
  std::vector<ModelVariant> variants = ExportVariants();
  variants.emplace_back("post_silu_listed", ListedRecipe());
  for (const ModelVariant& variant : variants) {
    disks.push_back(std::make_unique<ModelOnDisk>(variant.recipe));
    for (const ElementType type :
         {ElementType::kFloat32, ElementType::kFloat16, ElementType::kBfloat16}) {
      const ExportOptions options{ExportFormat::kHuggingFace, type};
      if (!CanExport(options, ModelSource(disks.back()->path())).empty()) continue;
      if (type != ElementType::kFloat32 && variant.name != "post_relu") continue;
      cases.push_back(MakeClientCase(*disks.back(), variant.name, options, *backend));
    }
  }
  ASSERT_GE(cases.size(), 7U);
  const TemporaryDirectory directory;
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("HEED_TRANSFORMERS_PYTHON", "huggingface_client.py",
                            directory / "cases.json");
}

}  // namespace
}  // namespace heed
