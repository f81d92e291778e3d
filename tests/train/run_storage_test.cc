#include "train/run_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/train/corpus_fixture.h"
#include "train/run_position.h"
#include "util/check.h"

namespace heed {
namespace {

// One start of a run: what Trainer builds before it trains.
struct Start {
  explicit Start(const Recipe& given)
      : recipe(given),
        checkpoints(recipe.output, recipe.training.checkpoints),
        threads(1),
        data(PrepareData(recipe, std::filesystem::path(recipe.output) / "data", threads)),
        model(recipe, data),
        storage(recipe, data, checkpoints) {}

  Recipe recipe;
  CheckpointStore checkpoints;
  ThreadPool threads;
  PreparedData data;
  TrainingModel model;
  RunStorage storage;
};

RunState StateOf(int64_t update) {
  RunState state;
  state.update = update;
  return state;
}

std::string ErrorOfRestoring(const Recipe& recipe) {
  Start start(recipe);
  try {
    start.storage.Restore(&start.model);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(RunStorage, ANewRunHasNothingToRestore) {
  const CorpusFixture corpus;
  Start start(corpus.MakeRecipe("run"));
  EXPECT_EQ(start.storage.Restore(&start.model), std::nullopt);
}

TEST(RunStorage, StateAndWeightsComeBack) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  RunState state = StateOf(12);
  state.target_tokens = 345;
  StorePosition({.seed = 1, .corpora = 2, .epoch = 3, .segments = {{{300, 330, 300}, 5}}}, &state);
  {
    Start first(recipe);
    first.model.parameters().flat_values().Row<float>(0)[0] = 0.625F;
    first.storage.Save(&first.model, state);
  }
  Start second(recipe);
  const std::optional<RunState> restored = second.storage.Restore(&second.model);
  ASSERT_TRUE(restored);
  EXPECT_EQ(second.model.parameters().flat_values().Row<float>(0)[0], 0.625F);
  EXPECT_EQ(ToDataPosition(*restored), ToDataPosition(state));
  EXPECT_EQ(restored->target_tokens, 345);
  EXPECT_EQ(restored->data_fingerprint, second.data.fingerprint);
}

TEST(RunStorage, AnotherModelSeedOrVocabularyIsAUserError) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  {
    Start first(recipe);
    first.storage.Save(&first.model, StateOf(1));
  }
  Recipe changed = recipe;
  changed.model.norm = NormPosition::kBefore;
  EXPECT_THAT(ErrorOfRestoring(changed), testing::HasSubstr("model.norm: post -> pre"));
  changed = recipe;
  changed.seed = 2;
  EXPECT_THAT(ErrorOfRestoring(changed), testing::HasSubstr("seed: 1 -> 2"));
  changed = recipe;
  changed.vocabulary.size = 40;
  EXPECT_THAT(ErrorOfRestoring(changed), testing::HasSubstr("another vocabulary"));
  changed = recipe;
  changed.model.dropout.residual = 0.3;
  changed.training.batch_tokens = 200;
  EXPECT_EQ(ErrorOfRestoring(changed), "none");
}

TEST(RunStorage, CheckpointsHoldTheVocabularyAndNothingElseOfItsFolder) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  const std::filesystem::path folder = std::filesystem::path(recipe.output) / "vocabulary";
  std::filesystem::create_directories(folder);
  WriteFile(folder / ".tmp-vocabulary.model-1-1", "left by a kill");
  WriteFile(folder / "notes.txt", "of a user");
  Start start(recipe);
  start.storage.Save(&start.model, StateOf(1));
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(recipe.output) / "last")) {
    names.push_back(entry.path().filename());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "model.safetensors", "optimizer.safetensors", "average.safetensors",
                         "state.json", "recipe.yaml", "manifest.json", "vocabulary.model"));
  EXPECT_FALSE(std::filesystem::exists(folder / ".tmp-vocabulary.model-1-1"));
}

TEST(RunStorage, ARefusedRestartChangesNothing) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  {
    Start first(recipe);
    first.storage.Save(&first.model, StateOf(1));
  }
  const std::filesystem::path file =
      std::filesystem::path(recipe.output) / "vocabulary" / "vocabulary.model";
  const std::string before = ReadFile(file);
  Recipe changed = recipe;
  changed.vocabulary.size = 40;
  EXPECT_THAT(ErrorOfRestoring(changed), testing::HasSubstr("another vocabulary"));
  EXPECT_EQ(ReadFile(file), before);
  EXPECT_EQ(ErrorOfRestoring(recipe), "none");
}

}  // namespace
}  // namespace heed
