// The real ONNX Runtime runs our exports: tests/export/onnx_client.py.
#include <gtest/gtest.h>

#include "tests/export/client.h"
#include "tests/export/client_cases.h"

namespace heed {
namespace {

TEST(OnnxClient, ComputesWhatWeDo) {
  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<ModelOnDisk>> disks;
  auto cases = Json::array();
  const auto add = [&](size_t disk, const std::string& name, ElementType type) {
    cases.push_back(MakeClientCase(*disks[disk], name, {ExportFormat::kOnnx, type}, *backend));
  };
  for (const ModelVariant& variant : ExportVariants()) {
    disks.push_back(std::make_unique<ModelOnDisk>(variant.recipe));
    add(disks.size() - 1, variant.name, ElementType::kFloat32);
  }
  for (const ElementType type : {ElementType::kFloat16, ElementType::kInt8}) {
    add(0, "post_relu", type);
    add(1, "pre_gelu_begin", type);
    add(2, "post_silu_gated_separate", type);
  }
  const TemporaryDirectory directory;
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("HEED_PYTHON", "onnx_client.py", directory / "cases.json");
}

}  // namespace
}  // namespace heed
