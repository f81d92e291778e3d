#include "train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "checkpoint/model_directory.h"
#include "tests/train/corpus_fixture.h"
#include "tests/util/file_size_limit.h"
#include "tests/util/log_watcher.h"
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

// The validations of a run, without their times.
std::vector<std::pair<int64_t, std::map<std::string, double>>> ValidationsOf(const Recipe& recipe) {
  std::vector<std::pair<int64_t, std::map<std::string, double>>> validations;
  const auto state = ReadRunState(std::filesystem::path(recipe.output) / "last" / kStateFile);
  for (const ValidationRecord& record : state.validations) {
    validations.emplace_back(record.update, record.metrics);
  }
  return validations;
}

// Trains until a line of the log begins with `message`, at which SIGTERM arrives.
TrainingEnd RunUntil(const Recipe& recipe, const std::string& message) {
  Trainer trainer(recipe);
  const LogWatcher watcher([&](const std::string& line) {
    if (line.starts_with(message)) std::raise(SIGTERM);
  });
  return trainer.Run();
}

TEST(Trainer, AValidationThatASignalCutsShortIsMadeUpFor) {
  const CorpusFixture corpus;
  Recipe whole = corpus.MakeRecipe("whole");
  whole.training.stop.updates = 9;  // validated because it is the last, not by validation.every
  Trainer(whole).Run();
  ASSERT_EQ(ValidationsOf(whole).size(), 2U);

  Recipe interrupted = whole;
  interrupted.output = corpus.Path("interrupted");
  // Updates 6 and 9 are logged just before they are validated.
  EXPECT_EQ(RunUntil(interrupted, "update 6/9"), TrainingEnd::kSignal);
  EXPECT_EQ(ValidationsOf(interrupted).size(), 0U);
  EXPECT_EQ(FindModel(interrupted.output).filename(), "update-00000006");
  EXPECT_EQ(RunUntil(interrupted, "update 9/9"), TrainingEnd::kSignal);
  EXPECT_EQ(ValidationsOf(interrupted).size(), 1U);
  EXPECT_EQ(Trainer(interrupted).Run(), TrainingEnd::kStopRule);
  EXPECT_EQ(ValidationsOf(interrupted), ValidationsOf(whole));
  ExpectEqualRuns(whole, interrupted);
  EXPECT_EQ(Trainer(interrupted).Run(), TrainingEnd::kWasFinished);
}

TEST(Trainer, ASignalBeforeTheFirstUpdateLeavesNothing) {
  const CorpusFixture corpus;
  const Recipe recipe = corpus.MakeRecipe("run");
  EXPECT_EQ(RunUntil(recipe, "memory: "), TrainingEnd::kSignal);
  EXPECT_TRUE(ListCheckpoints(recipe.output).empty());
  EXPECT_EQ(Trainer(recipe).Run(), TrainingEnd::kStopRule);
}

TEST(Trainer, AFullDiskDoesNotStopTrainingBeforeItsEnd) {
  const CorpusFixture corpus;
  Recipe whole = corpus.MakeRecipe("whole");
  Trainer(whole).Run();
  Recipe full = whole;
  full.output = corpus.Path("full");
  {
    Trainer trainer(full);
    const FileSizeLimit limit(4096);
    int64_t complaints = 0;
    const LogWatcher watcher([&](const std::string& line) {
      if (line.find("training goes on") != std::string::npos) ++complaints;
    });
    EXPECT_THROW(trainer.Run(), UserError);
    EXPECT_EQ(trainer.state().update, 12);
    EXPECT_EQ(complaints, 3);  // updates 4, 6 (validated) and 8
  }
  EXPECT_TRUE(ListCheckpoints(full.output).empty());
  Trainer trainer(full);
  {
    std::optional<FileSizeLimit> limit;
    const LogWatcher watcher([&](const std::string& line) {
      if (line.starts_with("update 4/12")) limit.emplace(4096);
      if (line.starts_with("update 8/12")) limit.reset();
    });
    EXPECT_EQ(trainer.Run(), TrainingEnd::kStopRule);
  }
  ExpectEqualRuns(whole, full);
}

TEST(Trainer, AMovingAverageMayStartAndEndWhenARunGoesOn) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.training.average.decay = 0;
  recipe.training.stop.updates = 6;
  Trainer(recipe).Run();
  recipe.training.average.decay = 0.9;
  recipe.training.stop.updates = 8;
  {
    Trainer trainer(recipe);
    EXPECT_EQ(trainer.Run(), TrainingEnd::kStopRule);
    EXPECT_EQ(trainer.state().average_updates, 2);
  }
  EXPECT_NE(FileOf(recipe, "last", kAverageFile), FileOf(recipe, "last", kModelFile));
  recipe.training.average.decay = 0;
  recipe.training.stop.updates = 9;
  Trainer trainer(recipe);
  EXPECT_EQ(trainer.Run(), TrainingEnd::kStopRule);
  EXPECT_EQ(trainer.state().average_updates, 0);
  EXPECT_FALSE(
      std::filesystem::exists(std::filesystem::path(recipe.output) / "last" / kAverageFile));
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

TEST(Trainer, EventFileIsWrittenUnlessSwitchedOff) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.training.stop.updates = 4;
  Trainer(recipe).Run();
  const std::string events = FileOf(recipe, "", kEventFile);
  EXPECT_THAT(events, testing::HasSubstr("train/loss_nats"));
  EXPECT_THAT(events, testing::HasSubstr("valid/bleu"));
  recipe.output = corpus.Path("other");
  recipe.training.tensorboard = false;
  Trainer(recipe).Run();
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(recipe.output) / kEventFile));
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

TEST(Trainer, SkippingHasALimit) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.training.schedule.peak_rate = 1e30;
  recipe.training.schedule.warmup_updates = 0;
  recipe.training.non_finite = NonFinitePolicy::kSkip;
  recipe.training.non_finite_limit = 3;
  Trainer trainer(recipe);
  EXPECT_THROW(trainer.Run(), UserError);
  EXPECT_EQ(trainer.state().skipped_in_row, 4);
  EXPECT_EQ(trainer.state().skipped_updates, trainer.state().skipped_in_row);
}

TEST(Trainer, ValidationOfADivergedModelEndsWithoutABest) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.training.schedule.peak_rate = 1e30;
  recipe.training.schedule.warmup_updates = 0;
  recipe.training.average.decay = 0;
  recipe.training.stop.updates = 1;
  Trainer trainer(recipe);
  EXPECT_EQ(trainer.Run(), TrainingEnd::kStopRule);
  EXPECT_FALSE(trainer.state().best.contains("nll"));
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
