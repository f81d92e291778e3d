// heed score: log-probabilities of given translations.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "decode/scorer.h"
#include "util/check.h"
#include "util/line_reader.h"

namespace heed {
namespace {

struct ScoreArguments {
  ModelArguments model;
  std::string source, target, format = "text";
  std::optional<int64_t> max_source_length;
};

void Score(const ScoreArguments& arguments) {
  ModelBundle bundle(arguments.model);
  if (bundle.models.size() != 1) ThrowUserError("heed score takes one --model");
  const std::vector<std::string> sources = ReadLines(arguments.source);
  const std::vector<std::string> targets = ReadLines(arguments.target);
  const ScoringOptions options{.max_source_length = arguments.max_source_length.value_or(
                                   bundle.models.front()->recipe.decoding.max_source_length)};
  for (const ScoredPair& pair :
       ScorePairs(bundle.system, *bundle.backend, sources, targets, options)) {
    if (arguments.format == "text") {
      std::cout << fmt::format("{:.6f}\t{}\n", pair.log_probability, pair.pieces.size());
      continue;
    }
    const nlohmann::ordered_json json = {
        {"log_probability_nats", pair.log_probability},
        {"tokens", pair.pieces},
        {"token_log_probabilities_nats", pair.piece_log_probabilities}};
    std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
}

}  // namespace

void AddScore(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("score", "Log-probability of given translations, per sentence and token");
  auto arguments = std::make_shared<ScoreArguments>();
  arguments->model.AddTo(*command, true);
  command->add_option("SOURCE", arguments->source, "File of source lines (plain, .gz, .zst)")
      ->required()
      ->type_name("");
  command->add_option("TARGET", arguments->target, "File of their translations, line by line")
      ->required()
      ->type_name("");
  command
      ->add_option("--format", arguments->format,
                   "text: log-probability in nats, tab, number of tokens; or jsonl with tokens")
      ->type_name("")
      ->check(CLI::IsMember({"text", "jsonl"}))
      ->capture_default_str();
  command
      ->add_option("--max-source-length", arguments->max_source_length,
                   "Longest source in tokens; longer ones are cut as in translation")
      ->check(CLI::Range(int64_t{2}, int64_t{1} << 30))
      ->type_name("N");
  command->footer(
      "Example:\n"
      "  heed score --model runs/debian_ende source.en translation.de --format jsonl");
  command->callback([arguments] { Score(*arguments); });
}

}  // namespace heed
