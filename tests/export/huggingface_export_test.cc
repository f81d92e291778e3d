#include "export/huggingface_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/safetensors_reader.h"
#include "tests/export/export_fixture.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<float> LastRow(const SafetensorsReader& reader, const std::string& name) {
  const RowSource rows = TensorRows(reader.Get(name));
  std::vector<float> values(static_cast<size_t>(rows.columns));
  rows.read(rows.rows - 1, values);
  return values;
}

TEST(HuggingFaceExport, PaddingIsATokenOfZerosThatIsNeverProduced) {
  Recipe recipe = SmallRecipe();
  recipe.model.tie_embeddings = EmbeddingTying::kNone;
  recipe.vocabulary.joint = false;
  recipe.model.projection_bias = false;
  recipe.model.output_bias = false;
  const ModelOnDisk disk(recipe);
  fs::create_directories(disk / "out");
  WriteHuggingFaceModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
  const SafetensorsReader reader((disk / "out") / "model.safetensors");
  for (const char* name : {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
                           "lm_head.weight"}) {
    // The larger vocabulary has 52 tokens; of the other the rest is padding too.
    EXPECT_EQ(reader.Get(name).shape, (std::vector<int64_t>{53, 16})) << name;
    EXPECT_EQ(LastRow(reader, name), std::vector<float>(16, 0)) << name;
  }
  const std::vector<float> bias = LastRow(reader, "final_logits_bias");
  ASSERT_EQ(bias.size(), 53U);
  EXPECT_EQ(bias[47], 0);
  EXPECT_LT(bias[48], -10000);
  EXPECT_LT(bias[52], -10000);
  // A bias that the model does not have.
  EXPECT_EQ(LastRow(reader, "model.decoder.layers.1.encoder_attn.k_proj.bias"),
            std::vector<float>(16, 0));
}

TEST(HuggingFaceExport, ObstaclesAreListedTogether) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.gated = true;
  recipe.model.layer_norm_epsilon = 1e-6;
  recipe.model.tie_embeddings = EmbeddingTying::kDecoder;
  const ModelOnDisk disk(recipe);
  EXPECT_THAT(FindHuggingFaceObstacles(ModelSource(disk.path()), ElementType::kInt8),
              testing::ElementsAre(HasSubstr("loads floats"), HasSubstr("model.gated"),
                                   HasSubstr("layer_norm_epsilon is 1e-06"),
                                   HasSubstr("model.tie_embeddings: decoder")));
}

}  // namespace
}  // namespace heed
