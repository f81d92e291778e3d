#include "tests/cli/heed_command.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "config/recipe_writer.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {

CommandResult RunHeed(const std::string& arguments, const std::string& input) {
  const TemporaryDirectory directory;
  WriteFile(directory / "in", input);
  const std::string at = directory.path().string();
  const std::string command =
      HEED_BINARY " " + arguments + " < " + at + "/in > " + at + "/out 2> " + at + "/errors";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): a shell, as users have
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(directory / "out"),
          ReadFile(directory / "errors")};
}

const TrainedRuns& TrainedRuns::Get() {
  static const TrainedRuns kRuns;
  return kRuns;
}

TrainedRuns::TrainedRuns() : recipe_(corpus_.MakeRecipe("first")), other_(recipe_) {
  recipe_.training.stop.updates = 2;
  recipe_.evaluation.test_sets = {
      {.name = "valid", .source = Path("valid.en"), .references = {Path("valid.de")}}};
  recipe_.evaluation.metrics = {TestMetric::kBleu, TestMetric::kChrfPlusPlus, TestMetric::kTer};
  other_ = recipe_;
  other_.name = "other";
  other_.output = Path("other");
  other_.vocabulary.size = 40;
  Train(recipe_);
  Train(other_);
}

void TrainedRuns::Train(const Recipe& recipe) const {
  const std::string file = Write(recipe.name + ".yaml", WriteRecipe(recipe));
  const CommandResult result = RunHeed("train " + file);
  HEED_CHECK(result.status == 0, "training failed: {}", result.errors);
}

std::string TrainedRuns::Write(const std::string& name, const std::string& text) const {
  WriteFile(Path(name), text);
  return Path(name);
}

int64_t CountLines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace heed
