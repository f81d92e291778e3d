#include "train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "checkpoint/model_directory.h"
#include "tests/train/corpus_fixture.h"
#include "train/stop_signal.h"
#include "util/check.h"

namespace heed {
namespace {

std::string FileOf(const Recipe& recipe, const std::string& link, std::string_view name) {
  return ReadFile(std::filesystem::path(recipe.output) / link / name);
}

void ExpectEqualRuns(const Recipe& a, const Recipe& b) {
  for (const std::string_view file : {kModelFile, kOptimizerFile, kAverageFile}) {
    EXPECT_EQ(FileOf(a, "last", file), FileOf(b, "last", file)) << file;
  }
  RunState x = ReadRunState(std::filesystem::path(a.output) / "last" / kStateFile);
  RunState y = ReadRunState(std::filesystem::path(b.output) / "last" / kStateFile);
  for (RunState* state : {&x, &y}) {  // what time decides, and the recipe's stop rule
    state->seconds = 0;
    state->recipe_fingerprint.clear();
    for (ValidationRecord& record : state->validations) record.seconds = 0;
  }
  EXPECT_EQ(x, y);
}

TEST(Trainer, TwelveUpdatesEqualSevenAndFiveToTheBit) {
  const CorpusFixture corpus;
  const Recipe whole = corpus.MakeRecipe("whole");
  EXPECT_EQ(Trainer(whole).Run(), TrainingEnd::kStopRule);
  Recipe parts = corpus.MakeRecipe("parts");
  parts.training.stop.updates = 7;
  EXPECT_EQ(Trainer(parts).Run(), TrainingEnd::kStopRule);
  parts.training.stop.updates = 12;
  EXPECT_EQ(Trainer(parts).Run(), TrainingEnd::kStopRule);
  for (const std::string_view file : {kModelFile, kOptimizerFile, kAverageFile}) {
    EXPECT_EQ(FileOf(whole, "last", file), FileOf(parts, "last", file)) << file;
  }
}

TEST(Trainer, InterruptedRunGoesOnAsIfNothingHadHappened) {
  const CorpusFixture corpus;
  Recipe whole = corpus.MakeRecipe("whole");
  whole.training.stop.updates = 60;
  Trainer(whole).Run();
  Recipe interrupted = whole;
  interrupted.output = corpus.Path("interrupted");
  int signals = 0;
  for (TrainingEnd end = TrainingEnd::kSignal; end == TrainingEnd::kSignal; ++signals) {
    ASSERT_LT(signals, 200);
    Trainer trainer(interrupted);
    std::thread killer([signals] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + 37 * signals));
      if (StopSignal::IsActive()) std::raise(SIGTERM);
    });
    end = trainer.Run();
    killer.join();
  }
  ExpectEqualRuns(whole, interrupted);
}

TEST(Trainer, FinishedRunHasNothingLeftToDo) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  Trainer(recipe).Run();
  EXPECT_EQ(Trainer(recipe).Run(), TrainingEnd::kWasFinished);
}

TEST(Trainer, RunDirectoryHoldsCheckpointsLinksAndMetrics) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  Trainer(recipe).Run();
  EXPECT_EQ(FindModel(recipe.output).filename(), "update-00000012");
  const std::string metrics = ReadFile(std::filesystem::path(recipe.output) / "metrics.jsonl");
  EXPECT_THAT(metrics, testing::HasSubstr(R"("update":4,"kind":"train")"));
  EXPECT_THAT(metrics, testing::HasSubstr(R"("update":6,"kind":"valid","bleu":)"));
  EXPECT_THAT(metrics, testing::HasSubstr("target_tokens_per_second"));
}

TEST(Trainer, AnotherModelInTheSameRunIsAUserError) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  Trainer(recipe).Run();
  recipe.model.feed_forward_width = 64;
  recipe.training.stop.updates = 20;
  try {
    const Trainer trainer(recipe);
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("model.feed_forward_width: 32 -> 64"));
  }
}

TEST(Trainer, DivergenceStopsWithTensorUpdateAndBatch) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.training.schedule.peak_rate = 1e30;
  recipe.training.schedule.warmup_updates = 0;
  try {
    Trainer(recipe).Run();
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::ContainsRegex("update [0-9]+: .*(gradient of|loss = )"));
    EXPECT_THAT(error.what(), testing::HasSubstr("train.en:"));
    EXPECT_THAT(error.what(), testing::HasSubstr("peak_rate"));
  }
}

TEST(Trainer, EarlyStoppingEndsTheRun) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.training.schedule.peak_rate = 1e-12;  // learns nothing
  recipe.training.average.decay = 0;
  recipe.training.stop.updates = 100;
  recipe.training.early_stopping.metrics = {ValidationMetric::kBleu};
  recipe.training.early_stopping.patience = 2;
  recipe.validation.every = 2;
  Trainer trainer(recipe);
  EXPECT_EQ(trainer.Run(), TrainingEnd::kEarlyStopping);
  EXPECT_EQ(trainer.state().update, 6);
}

}  // namespace
}  // namespace heed
