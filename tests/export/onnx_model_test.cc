#include "export/onnx_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/onnx_export.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(OnnxModel, OptionsComeBackFromTheGraphs) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.activation = ActivationKind::kSilu;
  recipe.model.gated = true;
  recipe.model.scale_embeddings = false;
  recipe.model.encoder_layers = 3;
  recipe.model.heads = 4;
  recipe.model.layer_norm_epsilon = 1e-3;
  recipe.model.projection_bias = false;
  const ModelOnDisk disk(recipe);
  WriteOnnxModel(ModelSource(disk.path()), ElementType::kInt8, disk / "out");
  const TransformerShape shape = ReadOnnxModel(disk / "out").shape;
  EXPECT_EQ(shape.source_vocabulary, 91);
  EXPECT_EQ(shape.target_vocabulary, 91);
  EXPECT_EQ(shape.begin_id, 90);
  EXPECT_EQ(shape.options.norm, NormPosition::kBefore);
  EXPECT_EQ(shape.options.activation, ActivationKind::kSilu);
  EXPECT_TRUE(shape.options.gated);
  EXPECT_FALSE(shape.options.scale_embeddings || shape.options.projection_bias);
  EXPECT_EQ(shape.options.encoder_layers, 3);
  EXPECT_EQ(shape.options.decoder_layers, 2);
  EXPECT_EQ(shape.options.heads, 4);
  EXPECT_EQ(shape.options.feed_forward_width, 24);
  EXPECT_EQ(shape.options.layer_norm_epsilon, 1e-3);
  EXPECT_EQ(shape.options.positions.max_length, 1024);
}

// Bytes of the files are replaced by others.
TEST(OnnxModel, OtherFilesAreUserErrors) {
  const ModelOnDisk disk(SmallRecipe());
  const auto fault = [&](const std::string& file, const std::string& from,
                         const std::string& to) -> std::string {
    fs::remove_all(disk / "out");
    WriteOnnxModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
    std::string bytes = ReadFile((disk / "out") / file);
    for (size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1)) {
      bytes.replace(at, from.size(), to);
    }
    WriteFile((disk / "out") / file, bytes);
    try {
      ReadOnnxModel(disk / "out");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const std::string decoder = "onnx/decoder_model_merged.onnx";
  EXPECT_EQ(fault(decoder, "nothing", "nowhere"), "");
  EXPECT_THAT(fault(decoder, "past_key_values.0.decoder.key", "past_key_values.0.decoder.KEY"),
              testing::HasSubstr("does not say size 1"));
  EXPECT_THAT(fault(decoder, "embedding.weight", "embedding.wAight"),
              testing::HasSubstr("it has no 'embedding.weight'"));
  EXPECT_THAT(fault("onnx/encoder_model.onnx", "layer1.feed_forward.down.weight",
                    "layer2.feed_forward.down.weight"),
              testing::HasSubstr("is given twice"));
  EXPECT_THAT(fault("config.json", "decoder_start", "decoder_begin"),
              testing::HasSubstr("does not describe a model"));
  fs::remove_all(disk / "out");
  EXPECT_THROW(ReadOnnxModel(disk / "out"), UserError);
}

}  // namespace
}  // namespace heed
