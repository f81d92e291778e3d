#include "export/onnx_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/onnx_files.h"
#include "tests/export/export_fixture.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(OnnxExport, EveryTransformerCanBeWritten) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    EXPECT_THAT(FindOnnxObstacles(ModelSource(disk.path()), ElementType::kFloat32),
                testing::IsEmpty());
  }
}

TEST(OnnxExport, Bfloat16IsRefused) {
  const ModelOnDisk disk(SmallRecipe());
  EXPECT_THAT(FindOnnxObstacles(ModelSource(disk.path()), ElementType::kBfloat16),
              testing::ElementsAre(testing::HasSubstr("choose --type float16")));
}

TEST(OnnxExport, FilesAreWhereClientsLook) {
  const ModelOnDisk disk(SmallRecipe());
  const ModelSource model(disk.path());
  const fs::path out = disk / "out";
  WriteOnnxModel(model, ElementType::kFloat32, out);
  for (const char* file :
       {"onnx/encoder_model.onnx", "onnx/decoder_model_merged.onnx", "config.json",
        "generation_config.json", "tokenizer.json", "tokenizer_config.json", "README.md"}) {
    EXPECT_TRUE(fs::exists(out / file)) << file;
  }
  EXPECT_EQ(OnnxEncoderFile("", ElementType::kInt8), "onnx/encoder_model_int8.onnx");
  EXPECT_EQ(OnnxDecoderFile("a", ElementType::kFloat16), "a/onnx/decoder_model_merged_fp16.onnx");
}

// transformers.js has no class for pre-norm models but needs none; it takes the type's files.
TEST(OnnxExport, EveryModelIsCalledMarian) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  const ModelOnDisk disk(recipe);
  WriteOnnxModel(ModelSource(disk.path()), ElementType::kFloat16, disk / "out");
  const auto config = ReadJsonFile((disk / "out") / "config.json");
  EXPECT_EQ(config["model_type"], "marian");
  EXPECT_EQ(config["torch_dtype"], "float32");
  EXPECT_EQ(config["transformers.js_config"]["dtype"], "fp16");
  EXPECT_EQ(config["decoder_start_token_id"], 90);
  EXPECT_THAT(ReadFile((disk / "out") / "README.md"),
              testing::HasSubstr("onnx/decoder_model_merged_fp16.onnx"));
}

}  // namespace
}  // namespace heed
