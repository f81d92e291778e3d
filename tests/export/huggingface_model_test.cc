#include "export/huggingface_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/huggingface_export.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(HuggingFaceModel, OptionsComeBackFromTheFiles) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.activation = ActivationKind::kSilu;
  recipe.model.scale_embeddings = false;
  recipe.model.encoder_layers = 3;
  const ModelOnDisk disk(recipe);
  fs::create_directories(disk / "out");
  WriteHuggingFaceModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
  const TransformerShape shape = ReadHuggingFaceModel(disk / "out").shape;
  EXPECT_EQ(shape.source_vocabulary, 91);
  EXPECT_EQ(shape.target_vocabulary, 91);
  EXPECT_EQ(shape.begin_id, 90);
  EXPECT_EQ(shape.options.norm, NormPosition::kBefore);
  EXPECT_EQ(shape.options.activation, ActivationKind::kSilu);
  EXPECT_FALSE(shape.options.scale_embeddings);
  EXPECT_EQ(shape.options.encoder_layers, 3);
  EXPECT_EQ(shape.options.tie_embeddings, EmbeddingTying::kAll);
}

TEST(HuggingFaceModel, OtherModelsAreUserErrors) {
  const ModelOnDisk disk(SmallRecipe());
  fs::create_directories(disk / "out");
  const auto fault = [&](const std::string& from, const std::string& to) -> std::string {
    WriteHuggingFaceModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
    std::string config = ReadFile((disk / "out") / "config.json");
    config.replace(config.find(from), from.size(), to);
    WriteFile((disk / "out") / "config.json", config);
    try {
      ReadHuggingFaceModel(disk / "out");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault("\"marian\"", "\"bert\""), testing::HasSubstr("model_type is bert"));
  EXPECT_THAT(fault("\"relu\"", "\"mish\""), testing::HasSubstr("activation function is mish"));
  EXPECT_THAT(fault("\"d_model\"", "\"width\""), testing::HasSubstr("does not describe a model"));
  EXPECT_THAT(fault("\"decoder_attention_heads\": 2", "\"decoder_attention_heads\": 4"),
              testing::HasSubstr("Heed has one for both"));
}

}  // namespace
}  // namespace heed
