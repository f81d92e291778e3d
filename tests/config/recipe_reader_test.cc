#include "config/recipe_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error_text.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A folder of recipe files that is removed at the end of the test.
class RecipeFolder {
 public:
  RecipeFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::path(testing::TempDir()) / "recipes_").string() + test->name();
    std::filesystem::create_directories(path_ + "/sub");
  }
  ~RecipeFolder() { std::filesystem::remove_all(path_); }
  RecipeFolder(const RecipeFolder&) = delete;
  RecipeFolder& operator=(const RecipeFolder&) = delete;

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + '/' + name, std::ios::binary) << text;
    return path_ + '/' + name;
  }

 private:
  std::string path_;
};

std::string ParseError(const std::string& text, const std::vector<std::string>& settings = {}) {
  return ErrorText([&] { ParseRecipe(text, "r.yaml", settings); });
}

TEST(ParseRecipe, AcceptanceCaseOfAMisspeltKey) {
  EXPECT_EQ(ParseError("training:\n  accumulate: 2\n  batch_token: 2048\n"),
            "r.yaml:3:3: unknown key 'batch_token' in 'training'; did you mean 'batch_tokens'?");
}

TEST(ParseRecipe, EveryFaultIsReportedInOneGo) {
  const std::string error = ParseError(
      "model:\n  heads: four\n  label_smoothing: 0.1\n  heads: 8\ntraining:\n  threads: -1\n"
      "evaluation:\n  metrics: [bleu, meteor]\n");
  EXPECT_EQ(error,
            "r.yaml:2:10: 'model.heads' must be a whole number, in digits only, not 'four'\n"
            "r.yaml:3:3: unknown key 'label_smoothing' in 'model'; it belongs in 'training'\n"
            "r.yaml:4:3: key 'heads' is given twice in 'model'; it stands in line 2 already\n"
            "r.yaml:6:12: 'training.threads' is -1; it must be at least 0\n"
            "r.yaml:8:19: 'evaluation.metrics[1]' must be one of bleu, bleu_lc, chrf, chrf++, ter, "
            "not 'meteor'");
}

TEST(ParseRecipe, EmptyFilesAndOtherThingsThanMapsAreErrors) {
  EXPECT_THAT(ParseError(""), HasSubstr("r.yaml: this recipe is empty"));
  EXPECT_THAT(ParseError("# nothing\n"), HasSubstr("r.yaml: this recipe is empty"));
  EXPECT_THAT(ParseError("- a\n- b\n"), HasSubstr("r.yaml:1:1: a recipe is 'key: value' lines"));
  EXPECT_THAT(ParseError("hello\n"), HasSubstr("this is 'hello'"));
  EXPECT_THAT(ParseError("training:\n\tthreads: 1\n"), HasSubstr("r.yaml:2:"));
}

TEST(ParseRecipe, EmptySectionIsNoFault) {
  EXPECT_EQ(ParseRecipe("training:\n  # threads: 1\nmodel:\n", "r.yaml").training.threads, 0);
}

TEST(ParseRecipe, NameAndOutputComeFromTheFile) {
  const Recipe recipe = ParseRecipe("seed: 3", "some/where/tiny.v2.yaml");
  EXPECT_EQ(recipe.name, "tiny.v2");
  EXPECT_EQ(recipe.output, "runs/tiny.v2");
  const Recipe named = ParseRecipe("name: n", "x.yaml");
  EXPECT_EQ(named.name, "n");
  EXPECT_EQ(named.output, "runs/n");
}

TEST(ParseRecipe, ScheduleEndsWhereTrainingStops) {
  const Recipe recipe =
      ParseRecipe("training: {schedule: {kind: cosine}, stop: {updates: 9000}}", "r.yaml");
  EXPECT_EQ(recipe.training.schedule.total_updates, 9000);
  EXPECT_EQ(
      ParseRecipe("training: {stop: {updates: 9000}}", "r.yaml").training.schedule.total_updates,
      std::nullopt);
}

TEST(ParseRecipe, RulesBetweenFieldsNameTheirPlaces) {
  EXPECT_EQ(ParseError("model:\n  model_width: 510\n  heads: 4\n"),
            "r.yaml:3:3: 'model.heads' (r.yaml:3:3) is 4 and does not divide 'model.model_width' "
            "(r.yaml:2:3), which is 510");
}

TEST(ParseRecipe, SettingsWinOverTheFile) {
  const Recipe recipe = ParseRecipe(
      "training: {batch_tokens: 1000}\ndata: {train: [{source: a, target: b}]}\n", "r.yaml",
      {"training.batch_tokens=2048", "name=on", "data.train.0.weight=2",
       "validation.metrics=[nll, chrf]", "training.stop={hours: 1}", "data.fetch=a=b"});
  EXPECT_EQ(recipe.training.batch_tokens, 2048);
  EXPECT_EQ(recipe.name, "on");
  EXPECT_EQ(recipe.data.train.at(0).weight, 2);
  EXPECT_EQ(recipe.data.train.at(0).source, "a");
  EXPECT_THAT(recipe.validation.metrics,
              ElementsAre(ValidationMetric::kNll, ValidationMetric::kChrf));
  EXPECT_EQ(recipe.training.stop.hours, 1.0);
  EXPECT_EQ(recipe.data.fetch, "a=b");
}

TEST(ParseRecipe, LaterSettingsWinOverEarlierOnes) {
  EXPECT_EQ(ParseRecipe("seed: 1", "r.yaml", {"seed=2", "seed=3"}).seed, 3);
  EXPECT_EQ(ParseRecipe("training: {stop: {hours: 2}}", "r.yaml", {"training.stop.hours=null"})
                .training.stop.hours,
            std::nullopt);
}

TEST(ParseRecipe, BadSettingsAreErrorsOfTheCommandLine) {
  EXPECT_EQ(ParseError("seed: 1", {"training.batch_token=5"}),
            "command line: unknown key 'batch_token' in 'training'; did you mean 'batch_tokens'?");
  EXPECT_EQ(ParseError("seed: 1", {"model.heads=0"}),
            "command line: 'model.heads' is 0; it must be at least 1");
  EXPECT_THAT(ParseError("seed: 1", {"seed"}), HasSubstr("'seed' is not a setting"));
  EXPECT_THAT(ParseError("seed: 1", {"=3"}), HasSubstr("'=3' is not a setting"));
  EXPECT_THAT(ParseError("seed: 1", {"seed.x=3"}), HasSubstr("'seed' is '1'; 'x' cannot be set"));
  EXPECT_THAT(ParseError("seed: 1", {"validation.metrics=[nll"}), HasSubstr("command line"));
  EXPECT_THAT(ParseError("seed: 1", {"include=x.yaml"}), HasSubstr("works in files only"));
  EXPECT_THAT(ParseError("seed: 1", {"model=5"}), HasSubstr("'model' must be a section"));
}

TEST(LoadRecipe, MissingFileSaysSo) {
  EXPECT_THAT(ErrorText([] { LoadRecipe("no/such/recipe.yaml"); }),
              HasSubstr("no/such/recipe.yaml: no such file"));
}

TEST(LoadRecipe, LaterIncludesAndTheFileItselfWin) {
  const RecipeFolder folder;
  folder.Write("sub/a.yaml", "model: {heads: 4, model_width: 64}\nseed: 1\n");
  folder.Write("sub/b.yaml", "model: {heads: 2}\nvalidation: {metrics: [nll, chrf]}\nseed: 2\n");
  const std::string path = folder.Write(
      "top.yaml", "include: [sub/a.yaml, sub/b.yaml]\nseed: 3\nvalidation: {metrics: [nll]}\n");
  const Recipe recipe = LoadRecipe(path);
  EXPECT_EQ(recipe.model.model_width, 64);
  EXPECT_EQ(recipe.model.heads, 2);
  EXPECT_EQ(recipe.seed, 3);
  EXPECT_THAT(recipe.validation.metrics, ElementsAre(ValidationMetric::kNll));
  EXPECT_EQ(recipe.name, "top");
  EXPECT_TRUE(recipe.include.empty());
}

TEST(LoadRecipe, IncludesNestAndAreRelativeToTheirOwnFile) {
  const RecipeFolder folder;
  folder.Write("base.yaml", "seed: 5\nmodel: {heads: 4}\n");
  folder.Write("sub/middle.yaml", "include: ../base.yaml\nmodel: {heads: 2}\n");
  const Recipe recipe = LoadRecipe(folder.Write("top.yaml", "include: sub/middle.yaml\n"));
  EXPECT_EQ(recipe.seed, 5);
  EXPECT_EQ(recipe.model.heads, 2);
}

TEST(LoadRecipe, SameFileMayBeIncludedTwice) {
  const RecipeFolder folder;
  folder.Write("base.yaml", "seed: 5\n");
  folder.Write("sub/a.yaml", "include: ../base.yaml\n");
  const std::string path = folder.Write("top.yaml", "include: [base.yaml, sub/a.yaml]\n");
  EXPECT_EQ(LoadRecipe(path).seed, 5);
}

TEST(LoadRecipe, FaultsInAnIncludedFileHaveItsPlace) {
  const RecipeFolder folder;
  const std::string base = folder.Write("base.yaml", "seed: 1\nmodel:\n  head: 4\n");
  const std::string path = folder.Write("top.yaml", "include: base.yaml\nsede: 2\n");
  const std::string error = ErrorText([&] { LoadRecipe(path); });
  EXPECT_THAT(error, HasSubstr(base + ":3:3: unknown key 'head' in 'model'"));
  EXPECT_THAT(error, HasSubstr(path + ":2:1: unknown key 'sede'"));
}

TEST(LoadRecipe, MissingIncludeIsReportedWhereItIsNamed) {
  const RecipeFolder folder;
  const std::string path = folder.Write("top.yaml", "seed: 1\ninclude:\n  - gone.yaml\n");
  const std::string error = ErrorText([&] { LoadRecipe(path); });
  EXPECT_THAT(error, HasSubstr(path + ":3:5: cannot include "));
  EXPECT_THAT(error, HasSubstr("gone.yaml: no such file"));
}

TEST(LoadRecipe, IncludeCyclesAreErrors) {
  const RecipeFolder folder;
  const std::string a = folder.Write("a.yaml", "include: sub/b.yaml\nseed: 1\n");
  const std::string b = folder.Write("sub/b.yaml", "include: ../a.yaml\nseed: 1\n");
  EXPECT_THAT(ErrorText([&] { LoadRecipe(a); }), HasSubstr(b + ":1:10: "));
  EXPECT_THAT(ErrorText([&] { LoadRecipe(a); }), HasSubstr("includes itself"));
  const std::string self = folder.Write("self.yaml", "include: ./sub/../self.yaml\n");
  EXPECT_THAT(ErrorText([&] { LoadRecipe(self); }), HasSubstr(self + ":1:10: "));
}

TEST(LoadRecipe, IncludeMustBeAListOfFiles) {
  const RecipeFolder folder;
  const std::string path = folder.Write("top.yaml", "include: [{a: b}, [c]]\nmodle: 1\n");
  const std::string error = ErrorText([&] { LoadRecipe(path); });
  EXPECT_THAT(error, HasSubstr(":1:11: 'include' must be a list of recipe files"));
  EXPECT_THAT(error, HasSubstr(":1:19: 'include' must be a list of recipe files"));
  EXPECT_THAT(error, HasSubstr("unknown key 'modle'"));
}

TEST(LoadRecipe, ByteOrderMarkAnchorsAndMergesWork) {
  const Recipe recipe = ParseRecipe(
      "\xEF\xBB\xBF"
      "data:\r\n  train:\r\n    - &first {source: a, target: b, weight: 3}\r\n"
      "    - {<<: *first, source: c}\r\n",
      "r.yaml");
  ASSERT_EQ(recipe.data.train.size(), 2u);
  EXPECT_EQ(recipe.data.train[1].source, "c");
  EXPECT_EQ(recipe.data.train[1].target, "b");
  EXPECT_EQ(recipe.data.train[1].weight, 3);
}

// Whatever one byte turns into, the outcome is a recipe or a UserError.
TEST(LoadRecipe, DamagedRecipesAreUserErrors) {
  const std::string good =
      "name: x\ndata: {train: [{source: a, target: b}], filters: {max_ratio: 2}}\n"
      "training:\n  schedule: {kind: linear, total_updates: 9000}\n  stop: {hours: 1}\n"
      "evaluation:\n  test_sets:\n    - {name: t, source: s, references: r}\n";
  ASSERT_NO_THROW(ParseRecipe(good, "r.yaml"));
  int num_errors = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char c : std::string("\t\n\"'#&*[]{}:,-x0~\x80")) {
      std::string damaged = good;
      damaged[i] = c;
      try {
        ParseRecipe(damaged, "r.yaml");
      } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("r.yaml"));
        EXPECT_THAT(error.what(), Not(HasSubstr(":0:")));
        ++num_errors;
      }
    }
  }
  EXPECT_GT(num_errors, 1000);
}

}  // namespace
}  // namespace heed
