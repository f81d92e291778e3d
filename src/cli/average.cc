// heed average: the mean of several checkpoints.
#include <fmt/ranges.h>

#include <memory>

#include "checkpoint/average_checkpoints.h"
#include "cli/commands.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

struct AverageArguments {
  std::vector<std::string> models;
  int64_t last = 0;
  std::string output;
};

void Average(const AverageArguments& arguments) {
  std::vector<std::filesystem::path> models(arguments.models.begin(), arguments.models.end());
  if (arguments.last > 0) {
    if (models.size() != 1) ThrowUserError("--last takes one run directory");
    models = LastCheckpoints(models.front(), arguments.last);
  }
  const std::vector<int64_t> updates = AverageCheckpoints(models, arguments.output);
  HEED_LOG(info, "averaged updates {} into {}", fmt::join(updates, ", "), arguments.output);
}

}  // namespace

void AddAverage(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("average", "Average the weights of checkpoints of one run");
  auto arguments = std::make_shared<AverageArguments>();
  command->add_option("MODEL", arguments->models, "Checkpoints, or with --last a run directory")
      ->required()
      ->type_name("");
  command->add_option("--last", arguments->last, "Take the newest N checkpoints of the run")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command->add_option("--output,-o", arguments->output, "Directory for the new model")
      ->required()
      ->type_name("DIR");
  command->footer(
      "Examples:\n"
      "  heed average runs/debian_ende --last 5 -o runs/debian_ende/average\n"
      "  heed translate --model runs/debian_ende/average < input.en");
  command->callback([arguments] { Average(*arguments); });
}

}  // namespace heed
