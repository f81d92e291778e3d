// The recipes in recipes/ are readable and complete, and each names a data script that exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "config/recipe_reader.h"
#include "config/validate.h"

namespace heed {
namespace {

std::vector<std::string> RecipePaths() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(HEED_SOURCE_DIR "/recipes")) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  return paths;
}

TEST(Recipes, EachCanBeTrainedAndEvaluated) {
  const std::vector<std::string> paths = RecipePaths();
  ASSERT_GE(paths.size(), 4U);
  for (const std::string& path : paths) {
    const Recipe recipe = LoadRecipe(path);
    EXPECT_NO_THROW(CheckReadyToTrain(recipe)) << path;
    EXPECT_NO_THROW(CheckReadyToEvaluate(recipe)) << path;
    EXPECT_TRUE(recipe.data.valid.IsGiven()) << path;
    EXPECT_FALSE(recipe.data.source_language.empty()) << path;
    EXPECT_FALSE(recipe.data.target_language.empty()) << path;
  }
}

TEST(Recipes, EachNamesTheScriptThatMakesItsData) {
  for (const std::string& path : RecipePaths()) {
    const std::string fetch = LoadRecipe(path).data.fetch;
    const std::string script = fetch.substr(0, fetch.find(' '));
    EXPECT_TRUE(std::filesystem::exists(HEED_SOURCE_DIR "/" + script) && !script.empty())
        << path << " names '" << fetch << "'";
  }
}

TEST(Recipes, EachHasARunDirectoryOfItsOwn) {
  std::set<std::string> outputs;
  for (const std::string& path : RecipePaths()) {
    const std::string output = LoadRecipe(path).output;
    EXPECT_TRUE(outputs.insert(output).second) << path << " shares " << output;
  }
}

TEST(Recipes, NamesAndReadmesGoTogether) {
  for (const std::string& path : RecipePaths()) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    EXPECT_TRUE(LoadRecipe(path).name.starts_with(folder.filename().string())) << path;
    for (const char* file : {"README.md", "expected.md"}) {
      EXPECT_TRUE(std::filesystem::exists(folder / file)) << folder << " lacks " << file;
    }
  }
}

}  // namespace
}  // namespace heed
