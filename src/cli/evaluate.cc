// heed evaluate: translates test sets and prints every metric with its signature.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "config/recipe_reader.h"
#include "config/validate.h"
#include "metrics/bootstrap.h"
#include "metrics/input_checks.h"
#include "train/evaluation_metrics.h"
#include "util/check.h"
#include "util/files.h"
#include "util/line_reader.h"
#include "util/logging.h"

namespace heed {
namespace {

struct EvaluateArguments {
  std::string recipe;
  std::vector<std::string> settings;
  ModelArguments model;
  DecodingArguments decoding;
  std::string output;  // directory for the translations
};

void CheckPlain(const std::string& path, const std::vector<std::string>& lines) {
  const auto line = FindMarkupLine(lines);
  if (!line) return;
  ThrowUserError("{}:{}: this is markup of a test set; unpack its segments into plain lines", path,
                 *line);
}

void CheckTestSet(const TestSetOptions& test, const std::vector<std::string>& sources,
                  const std::vector<std::vector<std::string>>& references) {
  for (size_t i = 0; i < references.size(); ++i) {
    if (references[i].size() != sources.size()) {
      ThrowUserError("test set {}: {} has {} lines, {} has {}", test.name, test.source,
                     sources.size(), test.references[i], references[i].size());
    }
  }
  CheckPlain(test.source, sources);
  for (size_t i = 0; i < references.size(); ++i) CheckPlain(test.references[i], references[i]);
}

void WarnIfTokenized(const std::string& name, const char* what,
                     const std::vector<std::string>& lines) {
  if (!LooksTokenized(lines)) return;
  HEED_LOG(warn, "{}: the {} look tokenized; BLEU is for detokenized text", name, what);
}

void EvaluateSet(const TestSetOptions& test, const EvaluationOptions& options,
                 Translator& translator, const std::string& output) {
  const std::vector<std::string> sources = ReadLines(test.source);
  std::vector<std::vector<std::string>> references;
  for (const std::string& path : test.references) references.push_back(ReadLines(path));
  CheckTestSet(test, sources, references);
  const std::vector<std::string> translations = translator.TranslateBest(sources);
  if (!output.empty()) {
    std::filesystem::create_directories(output);
    std::string text;
    for (const std::string& line : translations) text += line + "\n";
    WriteFile(std::filesystem::path(output) / (test.name + ".txt"), text);
  }
  if (options.tokenizer != BleuTokenizerKind::kNone) {
    WarnIfTokenized(test.name, "translations", translations);
    WarnIfTokenized(test.name, "references", references.front());
  }
  std::cout << fmt::format("{} ({} sentences)\n", test.name, sources.size());
  for (const TestMetric kind : options.metrics) {
    const auto metric = MakeMetric(kind, options.tokenizer);
    std::cout << "  " << metric->CorpusScore(translations, references).Format(2, true) << '\n';
  }
  std::cout.flush();
}

void Evaluate(EvaluateArguments arguments) {
  const Recipe recipe = LoadRecipe(arguments.recipe, arguments.settings);
  CheckReadyToEvaluate(recipe);
  if (arguments.model.models.empty()) arguments.model.models = {recipe.output};
  ModelBundle bundle(arguments.model);
  HEED_LOG(info, "model {}", bundle.models.front()->directory.string());
  for (const TestSetOptions& test : recipe.evaluation.test_sets) {
    Translator translator(bundle.system, arguments.decoding.Apply(recipe),
                          static_cast<uint64_t>(recipe.seed), *bundle.backend);
    EvaluateSet(test, recipe.evaluation, translator, arguments.output);
  }
}

}  // namespace

void AddEvaluate(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "evaluate", "Translate a recipe's test sets and print its metrics with signatures");
  auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("recipe", arguments->recipe, "Recipe that names the test sets")->required();
  arguments->model.AddTo(*command, false);
  arguments->decoding.AddTo(*command);
  command
      ->add_option("--recipe-set", arguments->settings,
                   "Override a key of the recipe, such as output=runs/other; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--output,-o", arguments->output, "Directory for the translations");
  command->footer("Without --model, the best checkpoint of the recipe's run is used.");
  command->callback([arguments] { Evaluate(*arguments); });
}

}  // namespace heed
