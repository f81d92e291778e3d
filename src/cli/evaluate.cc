// heed evaluate: translates test sets and prints every metric with its signature.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/evaluated_system.h"
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
  std::string output;        // directory for the translations
  std::string translations;  // in place of a model
  std::vector<std::string> compare;
  bool confidence = false;
  BootstrapOptions bootstrap;
};

// A test set with its translations by the evaluated system.
struct EvaluatedSet {
  const TestSetOptions& test;
  std::vector<std::string> sources;
  std::vector<std::vector<std::string>> references;
  std::vector<std::string> translations;
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

EvaluatedSet Translate(const TestSetOptions& test, EvaluatedSystem& system) {
  EvaluatedSet set{
      .test = test, .sources = ReadLines(test.source), .references = {}, .translations = {}};
  for (const std::string& path : test.references) set.references.push_back(ReadLines(path));
  CheckTestSet(test, set.sources, set.references);
  set.translations = system.Translations(test, set.sources);
  return set;
}

void WriteTranslations(const std::string& directory, const EvaluatedSet& set) {
  std::filesystem::create_directories(directory);
  std::string text;
  for (const std::string& line : set.translations) text += line + "\n";
  WriteFile(std::filesystem::path(directory) / (set.test.name + ".txt"), text);
}

void PrintScores(const EvaluateArguments& arguments, const EvaluationOptions& options,
                 const EvaluatedSet& set) {
  if (options.tokenizer != BleuTokenizerKind::kNone) {
    WarnIfTokenized(set.test.name, "translations", set.translations);
    WarnIfTokenized(set.test.name, "references", set.references.front());
  }
  std::cout << fmt::format("{} ({} sentences)\n", set.test.name, set.sources.size());
  for (const TestMetric kind : options.metrics) {
    const auto metric = MakeMetric(kind, options.tokenizer);
    const MetricScore score =
        arguments.confidence
            ? ScoreWithConfidence(*metric, metric->Statistics(set.translations, set.references),
                                  std::ssize(set.references), arguments.bootstrap)
            : metric->CorpusScore(set.translations, set.references);
    std::cout << "  " << score.Format(2, true) << '\n';
  }
}

// Both systems with confidence intervals, and how likely chance alone gives such a difference;
// false if there is nothing to compare.
bool PrintComparison(const EvaluateArguments& arguments, const EvaluationOptions& options,
                     const EvaluatedSet& set, const std::string& name, EvaluatedSystem& other) {
  const std::vector<std::string> baseline = other.Translations(set.test, set.sources);
  std::cout << fmt::format("{} ({} sentences): {} against {}\n", set.test.name, set.sources.size(),
                           name, other.name());
  if (baseline == set.translations) {
    std::cout << "  all translations are the same\n";
    return false;
  }
  for (const TestMetric kind : options.metrics) {
    const auto metric = MakeMetric(kind, options.tokenizer);
    const PairedResult result =
        PairedBootstrap(*metric, metric->Statistics(baseline, set.references),
                        metric->Statistics(set.translations, set.references), arguments.bootstrap);
    const std::string signature =
        metric->Signature({.num_references = std::ssize(set.references),
                           .bootstrap_resamples = arguments.bootstrap.resamples,
                           .seed = arguments.bootstrap.seed});
    std::cout << fmt::format("  {}|{}\n    baseline {}\n    system   {}\n", metric->Name(),
                             signature, result.baseline.Format(), result.system.Format());
  }
  return true;
}

void Evaluate(EvaluateArguments arguments) {
  std::vector<std::string> settings = arguments.settings;
  for (std::string& setting : arguments.decoding.Settings()) settings.push_back(std::move(setting));
  const Recipe recipe = LoadRecipe(arguments.recipe, settings);
  CheckReadyToEvaluate(recipe);
  if (arguments.model.models.empty()) arguments.model.models = {recipe.output};
  const auto open = [&](const ModelArguments& models, const std::string& files) {
    return files.empty() ? OpenModels(models, recipe) : OpenTranslations(files, recipe);
  };
  const auto system = open(arguments.model, arguments.translations);
  std::vector<std::unique_ptr<EvaluatedSystem>> others;
  for (const std::string& path : arguments.compare) {
    ModelArguments model = arguments.model;
    model.models = {path};
    others.push_back(open(model, HoldsTranslations(path, recipe) ? path : ""));
  }
  bool compared = false;
  for (const TestSetOptions& test : recipe.evaluation.test_sets) {
    const EvaluatedSet set = Translate(test, *system);
    if (!arguments.output.empty()) WriteTranslations(arguments.output, set);
    PrintScores(arguments, recipe.evaluation, set);
    for (const auto& other : others) {
      compared |= PrintComparison(arguments, recipe.evaluation, set, system->name(), *other);
    }
    std::cout.flush();
  }
  if (compared) {
    std::cout << "score (mean ± half the 95 % interval of resampled test sets); p = how often a "
                 "difference\nthis large is chance; * = p is at most 0.05\n";
  }
}

void AddComparison(CLI::App& command, EvaluateArguments& arguments) {
  command
      .add_option("--translations", arguments.translations,
                  "Score these instead of a model's: a file (one test set), or a folder with "
                  "NAME.txt for each test set, as --output writes it")
      ->type_name("PATH")
      ->excludes("--model");
  command
      .add_option("--compare", arguments.compare,
                  "Another system, to tell whether a difference is chance (paired bootstrap): its "
                  "translations (file or folder as above) or its model; may be repeated")
      ->type_name("PATH")
      ->group("Comparison")
      ->allow_extra_args(false);
  command
      .add_flag("--confidence", arguments.confidence,
                "Print the 95 % confidence interval of each score (bootstrap)")
      ->group("Comparison");
  command
      .add_option("--resamples", arguments.bootstrap.resamples,
                  "Resampled test sets of --confidence and --compare")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 24))
      ->type_name("N")
      ->group("Comparison")
      ->capture_default_str();
  command.add_option("--bootstrap-seed", arguments.bootstrap.seed, "Seed of the resampling")
      ->type_name("N")
      ->group("Comparison")
      ->capture_default_str();
}

}  // namespace

void AddEvaluate(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "evaluate",
      "Translate a recipe's test sets, print its metrics with signatures, compare with other "
      "systems");
  auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("RECIPE", arguments->recipe, "Recipe that names the test sets")
      ->required()
      ->type_name("");
  arguments->model.AddTo(*command, false);
  arguments->decoding.AddTo(*command);
  command
      ->add_option("--set", arguments->settings,
                   "Override a key of the recipe, such as output=runs/other or "
                   "evaluation.metrics=[bleu,ter]; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--output,-o", arguments->output,
                   "Directory for the translations, NAME.txt for each test set")
      ->type_name("DIR");
  AddComparison(*command, *arguments);
  command->footer(
      "Without --model, the best checkpoint of the recipe's run is used. Decoding is as in "
      "RECIPE.\n"
      "Examples:\n"
      "  heed evaluate recipes/debian_ende/transformer_tiny.yaml --output translations\n"
      "  heed evaluate recipe.yaml --model runs/second --compare runs/first\n"
      "  heed evaluate recipe.yaml --translations ours.txt --compare theirs.txt --confidence");
  command->callback([arguments] { Evaluate(*arguments); });
}

}  // namespace heed
