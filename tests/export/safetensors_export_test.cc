#include "export/safetensors_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/checkpoint.h"
#include "checkpoint/safetensors_reader.h"
#include "tests/export/export_fixture.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> FilesOf(const fs::path& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    files.push_back(entry.path().filename().string());
  }
  return files;
}

TEST(SafetensorsExport, KeepsTheWeightsInUseAndNoTrainingState) {
  const ModelOnDisk disk(SmallRecipe(), true);
  const fs::path output = disk / "exported";
  fs::create_directories(output);
  const ModelSource model(disk.path());
  WriteSafetensorsModel(model, ElementType::kFloat32, output);
  EXPECT_THAT(FilesOf(output), testing::UnorderedElementsAre("model.safetensors", "recipe.yaml",
                                                             "config.json", "vocabulary.model"));
  const SafetensorsReader written(output / kModelFile);
  ASSERT_EQ(written.tensors().size(), model.weights().tensors().size());
  for (const StoredTensor& tensor : written.tensors()) {
    const StoredTensor& source = model.weights().Get(tensor.name);
    EXPECT_EQ(tensor.shape, source.shape);
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(tensor.data),
                               static_cast<size_t>(tensor.end - tensor.begin)),
              std::string_view(reinterpret_cast<const char*>(source.data),
                               static_cast<size_t>(source.end - source.begin)))
        << tensor.name;
  }
}

TEST(SafetensorsExport, SixteenBitsAreHalfTheSize) {
  const ModelOnDisk disk(SmallRecipe());
  const ModelSource model(disk.path());
  fs::create_directories(disk / "exported");
  for (const auto& [type, name] :
       {std::pair(ElementType::kFloat16, "F16"), std::pair(ElementType::kBfloat16, "BF16")}) {
    WriteSafetensorsModel(model, type, disk / "exported");
    const SafetensorsReader written((disk / "exported") / kModelFile);
    for (const StoredTensor& tensor : written.tensors()) EXPECT_EQ(tensor.type.name, name);
  }
}

TEST(SafetensorsExport, Int8IsRefused) {
  const ModelOnDisk disk(SmallRecipe());
  const ModelSource model(disk.path());
  EXPECT_EQ(FindSafetensorsObstacles(model, ElementType::kInt8).size(), 1U);
  EXPECT_THAT(FindSafetensorsObstacles(model, ElementType::kBfloat16), testing::IsEmpty());
}

}  // namespace
}  // namespace heed
