// heed inspect: what is in a checkpoint, and what a recipe will cost before it runs.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "checkpoint/checkpoint.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/run_state.h"
#include "cli/commands.h"
#include "config/recipe_reader.h"
#include "decode/loaded_model.h"
#include "train/memory_plan.h"
#include "train/progress.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

// Parameters that share a prefix of two parts, "encoder.layer1", are one line.
void PrintParameters(const ParameterStore& store) {
  std::vector<std::pair<std::string, int64_t>> groups;
  for (const auto& parameter : store.parameters()) {
    const size_t first = parameter->name.find('.');
    const std::string group = parameter->name.substr(0, parameter->name.find('.', first + 1));
    if (groups.empty() || groups.back().first != group) groups.emplace_back(group, 0);
    groups.back().second += parameter->size();
  }
  for (const auto& [name, count] : groups)
    std::cout << fmt::format("  {:<28} {:>12}\n", name, count);
  std::cout << fmt::format("  {:<28} {:>12}\n", "all parameters", store.num_parameters());
}

void InspectModel(const std::string& path) {
  const auto backend = MakeBackend({});
  const auto loaded = LoadTranslationModel(path, *backend);
  std::cout << fmt::format("{}\n{} -> {}, vocabulary {} and {} pieces\n",
                           loaded->directory.string(), loaded->recipe.data.source_language,
                           loaded->recipe.data.target_language, loaded->source_tokenizer->size(),
                           loaded->target_tokenizer->size());
  PrintParameters(loaded->store);
  const std::filesystem::path state_file = loaded->directory / kStateFile;
  if (!std::filesystem::exists(state_file)) return;
  const RunState state = ReadRunState(state_file);
  std::cout << fmt::format("update {}, {} whole epochs, {} target tokens, {} of training\n",
                           state.update, state.epoch, state.target_tokens,
                           FormatDuration(state.seconds));
  for (const auto& [metric, best] : state.best) {
    std::cout << fmt::format("  best {:<12} {:>10.4f} at update {}\n", metric, best.value,
                             best.update);
  }
}

void InspectRecipe(const std::string& path, const std::vector<std::string>& settings) {
  const Recipe recipe = LoadRecipe(path, settings);
  const VocabularyOptions& vocabulary = recipe.vocabulary;
  const TransformerShape shape{
      .options = recipe.model,
      .source_vocabulary =
          vocabulary.joint ? vocabulary.size : vocabulary.source_size.value_or(vocabulary.size),
      .target_vocabulary =
          vocabulary.joint ? vocabulary.size : vocabulary.target_size.value_or(vocabulary.size),
      .begin_id = recipe.model.decoder_start == DecoderStart::kLearned ? 2 : -1};
  const int64_t tokens = recipe.training.batch_tokens;
  const MemoryPlan plan = PlanMemory(
      recipe, shape, {.target_tokens = tokens, .source_tokens = tokens, .sentences = tokens});
  std::cout << fmt::format("{} parameters\nmemory: {}\n", plan.num_parameters, Describe(plan));
}

}  // namespace

void AddInspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "inspect", "What is in a checkpoint, or what a recipe needs before it runs");
  auto path = std::make_shared<std::string>();
  auto settings = std::make_shared<std::vector<std::string>>();
  command->add_option("WHAT", *path, "Run or checkpoint directory, or a recipe file")
      ->required()
      ->type_name("");
  command->add_option("--set", *settings, "Override a key of the recipe; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  heed inspect runs/debian_ende\n"
      "  heed inspect configs/transformer_base.yaml --set training.batch_tokens=8192");
  command->callback([path, settings] {
    if (!std::filesystem::exists(*path)) {
      ThrowUserError("{} does not exist; name a run directory, a checkpoint or a recipe", *path);
    }
    if (std::filesystem::is_directory(*path)) {
      InspectModel(*path);
    } else {
      InspectRecipe(*path, *settings);
    }
  });
}

}  // namespace heed
