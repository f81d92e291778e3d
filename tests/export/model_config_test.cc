#include "export/model_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/export/export_fixture.h"

namespace heed {
namespace {

TEST(ModelConfig, HoldsEveryKeyOfTheModelSection) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  const ModelOnDisk disk(recipe);
  const auto config = DescribeModel(ModelSource(disk.path()), ElementType::kFloat16);
  EXPECT_EQ(config.at("format"), "heed");
  EXPECT_EQ(config.at("element_type"), "float16");
  EXPECT_EQ(config.at("update"), 77);
  EXPECT_EQ(config.at("source_vocabulary_size"), 90);
  EXPECT_EQ(config.at("target_end_id"), 0);
  EXPECT_EQ(config.at("target_begin_id"), -1);
  const auto& model = config.at("model");
  EXPECT_EQ(model.at("norm"), "pre");
  EXPECT_EQ(model.at("model_width"), 16);
  EXPECT_EQ(model.at("gated"), false);
  EXPECT_EQ(model.at("positions").at("layout"), "half");
  EXPECT_TRUE(model.at("initialization").at("embedding_std").is_null());
}

}  // namespace
}  // namespace heed
