#include "export/marian_obstacles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/marian_variants.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> ObstaclesOf(const Recipe& recipe,
                                     ElementType type = ElementType::kFloat32) {
  const ModelOnDisk disk(recipe);
  return FindMarianObstacles(ModelSource(disk.path()), type);
}

TEST(MarianObstacles, ModelsWithinMariansMeansHaveNone) {
  for (const ModelVariant& variant : MarianVariants()) {
    EXPECT_THAT(ObstaclesOf(variant.recipe), testing::IsEmpty()) << variant.name;
  }
}

TEST(MarianObstacles, AllAreListedAtOnce) {
  Recipe recipe = SmallRecipe();
  recipe.model.gated = true;
  recipe.model.activation = ActivationKind::kGelu;
  recipe.model.scale_embeddings = false;
  recipe.model.decoder_start = DecoderStart::kLearned;
  recipe.model.layer_norm_epsilon = 1e-3;
  recipe.model.positions.frequency = SinusoidFrequency::kPaper;
  recipe.model.positions.offset = 2;
  EXPECT_THAT(ObstaclesOf(recipe, ElementType::kInt8),
              ElementsAre(HasSubstr("float32, not int8"), HasSubstr("gated"),
                          HasSubstr("activation is gelu"), HasSubstr("not scaled"),
                          HasSubstr("starts from a learned vector"), HasSubstr("adds 0.001"),
                          HasSubstr("frequencies 'paper'"), HasSubstr("first position is 2")));
}

TEST(MarianObstacles, PositionsMustBeSinusoidsThatMarianHas) {
  Recipe recipe = SmallRecipe();
  recipe.model.positions.kind = PositionKind::kNone;
  EXPECT_THAT(ObstaclesOf(recipe), ElementsAre(HasSubstr("its positions are none")));
  recipe.model.positions.kind = PositionKind::kLearned;
  EXPECT_THAT(ObstaclesOf(recipe), ElementsAre(HasSubstr("its positions are learned")));
}

}  // namespace
}  // namespace heed
