#include "config/initial_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "config/recipe_reader.h"
#include "error_text.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InitialModel : public testing::Test {
 protected:
  // A model directory with that recipe, below the temporary directory.
  std::string MakeModel(const std::string& name, const std::string& recipe) {
    fs::create_directories(directory_.path() / name);
    WriteFile(directory_.path() / name / "recipe.yaml", recipe);
    return directory_.path() / name;
  }
  Recipe Load(const std::string& text, const std::vector<std::string>& settings = {}) {
    const fs::path path = directory_.path() / "fine.yaml";
    WriteFile(path, text);
    return LoadRecipe(path, settings);
  }

  TemporaryDirectory directory_;
};

TEST_F(InitialModel, GivesTheKeysThatAreNotSet) {
  const std::string model =
      MakeModel("old", "model: {heads: 2, model_width: 64, dropout: {residual: 0.3}}\nseed: 7\n");
  const Recipe recipe =
      Load("model:\n  initialise_from: " + model + "\n  dropout: {embedding: 0.2}\n");
  EXPECT_EQ(recipe.model.heads, 2);
  EXPECT_EQ(recipe.model.model_width, 64);
  EXPECT_EQ(recipe.model.dropout.residual, 0.3);
  EXPECT_EQ(recipe.model.dropout.embedding, 0.2);
  EXPECT_EQ(recipe.model.initialise_from, model);
  EXPECT_EQ(recipe.seed, 1);
  EXPECT_EQ(recipe.name, "fine");
}

TEST_F(InitialModel, GivesTheVocabularyButNotItsSampling) {
  const std::string model = MakeModel("old",
                                      "vocabulary: {type: bpe, size: 70, sampling: {dropout: 0.1}, "
                                      "user_symbols: [<a>]}\n");
  const Recipe recipe = Load("model: {initialise_from: " + model +
                             "}\nvocabulary: {size: 9000, user_symbols: [<b>]}\n");
  EXPECT_EQ(recipe.vocabulary.type, VocabularyKind::kBpe);
  EXPECT_EQ(recipe.vocabulary.size, 70);
  EXPECT_EQ(recipe.vocabulary.sampling.dropout, 0);
  EXPECT_EQ(recipe.vocabulary.user_symbols, std::vector<std::string>{"<b>"});
  EXPECT_EQ(recipe.vocabulary.model, model + "/vocabulary.model");
}

TEST_F(InitialModel, GivesSeparateVocabulariesUnlessTheRecipeNamesItsOwn) {
  const std::string model =
      MakeModel("old", "vocabulary: {joint: false}\nmodel: {tie_embeddings: decoder}\n");
  const std::string start = "model: {initialise_from: " + model + "}\n";
  const Recipe given = Load(start);
  EXPECT_EQ(given.vocabulary.source_model, model + "/vocabulary.source.model");
  EXPECT_EQ(given.vocabulary.target_model, model + "/vocabulary.target.model");
  const Recipe own = Load(start + "vocabulary: {model: own.model}\n");
  EXPECT_EQ(own.vocabulary.model, "own.model");
  EXPECT_TRUE(own.vocabulary.joint);
}

TEST_F(InitialModel, MayBeARunOrComeFromTheCommandLine) {
  MakeModel("run/best", "model: {heads: 4}\n");
  MakeModel("run/last", "model: {heads: 16}\n");
  const std::string run = directory_.path() / "run";
  const Recipe recipe = Load("name: fine\n", {"model.initialise_from=" + run});
  EXPECT_EQ(recipe.model.heads, 4);
  EXPECT_EQ(recipe.vocabulary.model, run + "/best/vocabulary.model");
}

TEST_F(InitialModel, WithoutAModelIsReportedWithItsPlace) {
  const std::string error = ErrorText([&] { Load("model:\n  initialise_from: nowhere\n"); });
  EXPECT_THAT(error, HasSubstr("fine.yaml:2:20: 'model.initialise_from' is 'nowhere', which holds "
                               "no model"));
}

TEST_F(InitialModel, IsNotNeededByAStoredRecipe) {
  EXPECT_EQ(ParseRecipe("model: {initialise_from: gone}\n", "r.yaml").model.initialise_from,
            "gone");
}

TEST_F(InitialModel, IsNeededToStartWithMoments) {
  EXPECT_THAT(ErrorText([&] { Load("training: {optimizer: {initialise: true}}\n"); }),
              HasSubstr("needs a run to start from"));
}

}  // namespace
}  // namespace heed
