// The presets in configs/ are readable, complete and of the published sizes; the recipes that use
// them are valid.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "config/key_index.h"
#include "config/recipe_reader.h"
#include "config/validate.h"
#include "config/yaml_tree.h"

namespace heed {
namespace {

std::string PresetPath(const std::string& size) {
  return std::string(HEED_SOURCE_DIR) + "/configs/transformer_" + size + ".yaml";
}

// Parameters of the layers (Vaswani et al. 2017): attention 4 (d d + d), feed-forward 2 d f + f +
// d, layer norm 2 d each.
int64_t LayerParameters(const ModelOptions& model) {
  const int64_t d = model.model_width, f = model.feed_forward_width;
  const int64_t attention = 4 * (d * d + d), feed_forward = 2 * d * f + f + d, norm = 2 * d;
  return model.encoder_layers * (attention + feed_forward + 2 * norm) +
         model.decoder_layers * (2 * attention + feed_forward + 3 * norm);
}

// With a joint vocabulary tied three ways and an output bias.
int64_t AllParameters(const ModelOptions& model, int64_t vocabulary) {
  return LayerParameters(model) + vocabulary * (model.model_width + 1);
}

TEST(Presets, EachStatesEveryKeyOfTheModel) {
  for (const char* size : {"tiny", "small", "base", "big"}) {
    ProblemList problems;
    const std::string path = PresetPath(size);
    const ConfigNode tree = ParseYaml(ReadRecipeText(path), path, problems).value();
    for (const std::string& key : KeyIndex().paths()) {
      if (!key.starts_with("model.") || key == "model.initialise_from") continue;
      const ConfigNode* node = &tree;
      for (size_t start = 0; start <= key.size();) {
        const size_t end = std::min(key.find('.', start), key.size());
        const ConfigNode::Entry* entry = node->Find(key.substr(start, end - start));
        ASSERT_NE(entry, nullptr) << path << " lacks " << key;
        node = &entry->value;
        start = end + 1;
      }
    }
  }
}

TEST(Presets, TinyIsThatOfWuEtAl2021) {
  const Recipe recipe = LoadRecipe(PresetPath("tiny"));
  EXPECT_EQ(recipe.model.encoder_layers, 4);
  EXPECT_EQ(recipe.model.decoder_layers, 4);
  EXPECT_EQ(recipe.model.heads, 4);
  EXPECT_EQ(recipe.model.dropout.residual, 0.3);
  EXPECT_EQ(LayerParameters(recipe.model), 1'325'056);
  EXPECT_EQ(recipe.training.schedule.peak_rate, 0.005);
  EXPECT_EQ(recipe.training.schedule.warmup_updates, 2000);
}

TEST(Presets, SmallIsThatOfIwslt) {
  const Recipe recipe = LoadRecipe(PresetPath("small"));
  EXPECT_EQ(recipe.model.heads, 4);
  EXPECT_EQ(LayerParameters(recipe.model), 31'543'296);
}

// Table 3 of the paper says 65 and 213 million; the vocabulary of its English-German system has
// about 37,000 pieces.
TEST(Presets, BaseAndBigHaveThePublishedParameterCounts) {
  const Recipe base = LoadRecipe(PresetPath("base"));
  const Recipe big = LoadRecipe(PresetPath("big"));
  EXPECT_NEAR(static_cast<double>(AllParameters(base.model, 37'000)), 65e6, 2e6);
  EXPECT_NEAR(static_cast<double>(AllParameters(big.model, 37'000)), 213e6, 2e6);
  EXPECT_EQ(base.model.heads, 8);
  EXPECT_EQ(big.model.heads, 16);
  EXPECT_EQ(base.model.dropout.residual, 0.1);
  EXPECT_EQ(big.model.dropout.residual, 0.3);
  EXPECT_EQ(base.training.stop.updates, 100'000);
  EXPECT_EQ(big.training.stop.updates, 300'000);
}

TEST(Presets, BaseEqualsTheDefaultsOfTheModel) {
  EXPECT_EQ(LoadRecipe(PresetPath("base")).model, ModelOptions());
}

TEST(Presets, LargePresetsTrainOn25000TokensPerUpdate) {
  for (const char* size : {"base", "big"}) {
    const TrainingOptions training = LoadRecipe(PresetPath(size)).training;
    EXPECT_NEAR(static_cast<double>(training.batch_tokens * training.accumulate), 25'000, 1'000);
  }
}

TEST(Recipes, EachIsReadyToTrainAndToEvaluate) {
  int num_recipes = 0;
  const std::string folder = std::string(HEED_SOURCE_DIR) + "/recipes";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++num_recipes;
    SCOPED_TRACE(entry.path().string());
    Recipe recipe;
    ASSERT_NO_THROW(recipe = LoadRecipe(entry.path().string()));
    EXPECT_NO_THROW(CheckReadyToTrain(recipe));
    EXPECT_NO_THROW(CheckReadyToEvaluate(recipe));
  }
  EXPECT_GE(num_recipes, 4);
}

}  // namespace
}  // namespace heed
