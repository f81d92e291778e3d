#include "cli/model_options.h"

#include <fmt/format.h>

#include "config/recipe_reader.h"
#include "config/recipe_writer.h"

namespace heed {

void ModelArguments::AddTo(CLI::App& command, bool is_required) {
  command
      .add_option("--model,-m", models,
                  "Run directory, checkpoint, or a link such as runs/NAME/best; several models of "
                  "one vocabulary translate as an ensemble")
      ->required(is_required)
      ->allow_extra_args(false);  // one value each time, so that files may follow
  command.add_option("--threads", threads, "Threads; 0 = one per core")->capture_default_str();
  command.add_option("--backend", backend, "cpu, or reference (slow, for checks)")
      ->check(CLI::IsMember({"cpu", "reference"}))
      ->capture_default_str();
}

void DecodingArguments::AddTo(CLI::App& command) {
  command.add_option("--beam", beam, "Hypotheses per sentence; 1 = greedy");
  command.add_option("--n-best", n_best, "Translations per sentence");
  command.add_option("--length-penalty", length_penalty,
                     "Exponent alpha of the length penalty; larger favours longer translations");
  command.add_option("--coverage-penalty", coverage_penalty,
                     "Weight beta of the penalty for source tokens that got little attention; 0 = "
                     "off, about 0.2 is usual");
  command.add_option("--max-source-length", max_source_length,
                     "Longest source in tokens; of a longer line the beginning is translated");
  command.add_option("--batch-sentences", batch_sentences,
                     "Most sentences in a batch; changes speed only");
  command
      .add_option("--set", settings,
                  "Any key of the recipe's decoding section, for instance "
                  "length_penalty.alpha=1; see 'heed help recipe decoding'; may be repeated")
      ->allow_extra_args(false);
}

DecodingOptions DecodingArguments::Apply(const Recipe& recipe) const {
  std::vector<std::string> all;
  for (const std::string& setting : settings) {
    all.push_back(setting.starts_with("decoding.") ? setting : "decoding." + setting);
  }
  if (beam) all.push_back(fmt::format("decoding.beam={}", *beam));
  if (n_best) all.push_back(fmt::format("decoding.n_best={}", *n_best));
  if (length_penalty)
    all.push_back(fmt::format("decoding.length_penalty.alpha={}", *length_penalty));
  if (coverage_penalty)
    all.push_back(fmt::format("decoding.coverage_penalty={}", *coverage_penalty));
  if (max_source_length)
    all.push_back(fmt::format("decoding.max_source_length={}", *max_source_length));
  if (batch_sentences) all.push_back(fmt::format("decoding.batch_sentences={}", *batch_sentences));
  if (all.empty()) return recipe.decoding;
  return ParseRecipe(WriteRecipe(recipe), "the model's recipe", all).decoding;
}

ModelBundle::ModelBundle(const ModelArguments& arguments)
    : backend(MakeBackend({.name = arguments.backend, .num_threads = arguments.threads})) {
  for (const std::string& path : arguments.models) {
    models.push_back(LoadTranslationModel(path, *backend));
  }
  system = MakeSystem(models);
}

}  // namespace heed
