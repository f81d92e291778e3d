#include "config/recipe_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "config/recipe_reader.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// A valid recipe with something unusual in every kind of field.
Recipe UnusualRecipe() {
  Recipe recipe = ParseRecipe("seed: 99", "unusual.yaml");
  recipe.name = "no";
  recipe.output = "runs/with blank: and # \"quotes\" \\ \xC3\xA4";
  recipe.data.fetch = "line one\nline\ttwo";
  recipe.data.train.resize(2);
  recipe.data.train[0].source = "a.en";
  recipe.data.train[0].target = "a.de";
  recipe.data.train[0].weight = 1.0 / 3;
  recipe.data.train[1].name = "007";
  recipe.data.train[1].tsv = "~";
  recipe.data.filters.max_ratio = 2.5;
  recipe.vocabulary.user_symbols = {"<2de>", "null", ", ]"};
  recipe.model.norm = NormPosition::kBefore;
  recipe.training.optimizer.epsilon = 1e-9;
  recipe.training.stop.hours = 0.1;
  recipe.validation.metrics = {ValidationMetric::kNll};
  recipe.evaluation.test_sets = {{"t", "s", {"r1", "r 2"}}};
  recipe.evaluation.metrics = {TestMetric::kChrfPlusPlus};
  return recipe;
}

TEST(WriteRecipe, ReadsBackAsAnEqualRecipe) {
  const Recipe recipe = UnusualRecipe();
  EXPECT_EQ(ParseRecipe(WriteRecipe(recipe), "r.yaml"), recipe);
  EXPECT_EQ(ParseRecipe(WriteRecipe(recipe, RecipeComments::kMeanings), "r.yaml"), recipe);
  EXPECT_NE(ParseRecipe(WriteRecipe(recipe), "r.yaml"), ParseRecipe("seed: 99", "r.yaml"));
}

TEST(WriteRecipe, WritingAgainGivesTheSameText) {
  const std::string text = WriteRecipe(UnusualRecipe());
  EXPECT_EQ(WriteRecipe(ParseRecipe(text, "r.yaml")), text);
}

TEST(WriteRecipe, ShowsEveryValueInTheOrderOfTheFieldLists) {
  const std::string text = WriteRecipe(UnusualRecipe());
  EXPECT_THAT(text, HasSubstr("name: \"no\"\n"));
  EXPECT_THAT(text, HasSubstr("  train:\n    - name: \"\"\n      source: a.en\n"));
  EXPECT_THAT(text, HasSubstr("    max_ratio: 2.5\n"));
  EXPECT_THAT(text, HasSubstr("  batch_sentences: null\n"));
  EXPECT_THAT(text, HasSubstr("      references: [r1, \"r 2\"]\n"));
  EXPECT_THAT(text, Not(HasSubstr("include")));
  EXPECT_LT(text.find("\nmodel:"), text.find("\ntraining:"));
}

TEST(WriteRecipe, CommentsFitIn100Columns) {
  const std::string text = WriteRecipe(Recipe(), RecipeComments::kMeanings);
  EXPECT_THAT(text, HasSubstr("  # Attention heads\n  heads: 8\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace heed
