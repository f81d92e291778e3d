// heed train and heed prepare.
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "config/recipe_reader.h"
#include "data/prepare_data.h"
#include "train/stop_signal.h"
#include "train/trainer.h"
#include "util/logging.h"
#include "util/thread_pool.h"

namespace heed {
namespace {

struct RecipeArguments {
  std::string recipe;
  std::vector<std::string> settings;

  void AddTo(CLI::App& command) {
    command.add_option("RECIPE", recipe, "Recipe file (YAML); see 'heed help recipe'")
        ->required()
        ->type_name("");
    command
        .add_option("--set", settings,
                    "Override a key of the recipe: --set training.batch_tokens=2048; may be "
                    "repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
  }
};

void Train(const RecipeArguments& arguments) {
  const Recipe recipe = LoadRecipe(arguments.recipe, arguments.settings);
  Trainer trainer(recipe);
  switch (trainer.Run()) {
    case TrainingEnd::kSignal:
      HEED_LOG(info, "stopped by a signal at update {}; the same command goes on",
               trainer.state().update);
      throw Interrupted{StopSignal::Received()};
    case TrainingEnd::kEarlyStopping:
      HEED_LOG(info, "validation has stalled; done at update {}", trainer.state().update);
      break;
    case TrainingEnd::kStopRule:
      HEED_LOG(info, "done: {} updates", trainer.state().update);
      break;
    case TrainingEnd::kWasFinished:
      return;
  }
  HEED_LOG(info, "next: heed evaluate {0}, or heed translate --model {1}/best < text",
           arguments.recipe, recipe.output);
}

}  // namespace

void AddTrain(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "train",
      "Train a recipe: prepares the data if need be, and goes on where an interrupted run stopped");
  auto arguments = std::make_shared<RecipeArguments>();
  arguments->AddTo(*command);
  command->footer(
      "Results go to the recipe's 'output', runs/NAME by default: best, last, metrics.jsonl,\n"
      "checkpoints. Ctrl-C saves; the same command goes on.\n"
      "Examples:\n"
      "  heed train recipes/debian_ende/transformer_tiny.yaml\n"
      "  heed train recipe.yaml --set output=runs/second --set training.stop.hours=2");
  command->callback([arguments] { Train(*arguments); });
}

void AddPrepare(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "prepare", "Read, filter and encode a recipe's corpora, and say what was dropped and why");
  auto arguments = std::make_shared<RecipeArguments>();
  arguments->AddTo(*command);
  command->footer(
      "'heed train' does this too if need be. The report is in the recipe's 'output', data/.\n"
      "Example:\n"
      "  heed prepare recipes/debian_ende/transformer_tiny.yaml");
  command->callback([arguments] {
    const Recipe recipe = LoadRecipe(arguments->recipe, arguments->settings);
    ThreadPool threads(static_cast<int>(recipe.training.threads));
    PrepareData(recipe, std::filesystem::path(recipe.output) / "data", threads);
  });
}

}  // namespace heed
