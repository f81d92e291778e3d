#include "cli/model_options.h"

#include <fmt/format.h>

namespace heed {

void ModelArguments::AddTo(CLI::App& command, bool is_required) {
  command
      .add_option("--model,-m", models,
                  "Run directory, checkpoint, or a link such as runs/NAME/best; several models of "
                  "one vocabulary translate as an ensemble")
      ->required(is_required)
      ->type_name("DIR")
      ->allow_extra_args(false);  // one value each time, so that files may follow
  command.add_option("--threads", threads, "Threads; 0 = one per core")
      ->type_name("N")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_option("--backend", backend, "Kernels; reference is slow and for checks")
      ->type_name("")
      ->check(CLI::IsMember({"cpu", "reference"}))
      ->capture_default_str();
}

void DecodingArguments::AddTo(CLI::App& command) {
  const auto add = [&](const char* name, auto& value, const char* type, const char* meaning) {
    command.add_option(name, value, meaning)->type_name(type)->group("Decoding");
  };
  add("--beam", beam, "N", "Hypotheses per sentence; 1 = greedy");
  add("--length-penalty", length_penalty, "ALPHA",
      "Exponent of the length penalty; larger favours longer translations");
  add("--coverage-penalty", coverage_penalty, "BETA",
      "Weight of the penalty for source tokens that got little attention; makes translations "
      "longer; 0 = off, 0.01 to 0.03 suits Transformers");
  add("--max-source-length", max_source_length, "N",
      "Longest source in tokens; of a longer line the beginning is translated, with a warning");
  add("--batch-sentences", batch_sentences, "N", "Most sentences in a batch; changes speed only");
}

std::vector<std::string> DecodingArguments::Settings() const {
  std::vector<std::string> settings;
  const auto add = [&](const char* key, const auto& value) {
    if (value) settings.push_back(fmt::format("decoding.{}={}", key, *value));
  };
  add("beam", beam);
  add("length_penalty.alpha", length_penalty);
  add("coverage_penalty", coverage_penalty);
  add("max_source_length", max_source_length);
  add("batch_sentences", batch_sentences);
  return settings;
}

ModelBundle::ModelBundle(const ModelArguments& arguments)
    : backend(MakeBackend({.name = arguments.backend, .num_threads = arguments.threads})) {
  for (const std::string& path : arguments.models) {
    models.push_back(LoadTranslationModel(path, *backend));
  }
  system = MakeSystem(models);
}

}  // namespace heed
