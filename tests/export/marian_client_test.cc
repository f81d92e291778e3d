// A reader of Marian's files in NumPy, and CTranslate2's converter, take our exports:
// tests/export/marian_client.py.
#include <gtest/gtest.h>

#include "checkpoint/checkpoint.h"
#include "tests/export/client.h"
#include "tests/export/client_cases.h"
#include "tests/export/marian_variants.h"

namespace heed {
namespace {

Json MakeMarianCase(const ModelOnDisk& disk, const ModelVariant& variant, Backend& backend) {
  const ModelOptions& options = variant.recipe.model;
  ExportModel(ModelSource(disk.path()), {ExportFormat::kMarianBin}, disk / "bin", backend);
  Json made = MakeClientCase(disk, variant.name, {ExportFormat::kMarian}, backend);
  made["weights"] = (disk.path() / kModelFile).string();
  made["bin"] = (disk / "bin").string();
  made["joint"] = variant.recipe.vocabulary.joint;
  made["interleaved"] = options.positions.layout == SinusoidLayout::kInterleaved;
  made["pre_norm"] = options.norm == NormPosition::kBefore;
  made["epsilon"] = options.layer_norm_epsilon;
  return made;
}

TEST(MarianClient, ReadsComputesAndConvertsOurExports) {
  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<ModelOnDisk>> disks;
  auto cases = Json::array();
  for (const ModelVariant& variant : MarianVariants()) {
    disks.push_back(std::make_unique<ModelOnDisk>(variant.recipe));
    cases.push_back(MakeMarianCase(*disks.back(), variant, *backend));
  }
  const TemporaryDirectory directory;
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "marian_client.py", directory / "cases.json");
}

}  // namespace
}  // namespace heed
