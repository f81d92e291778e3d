// What the verbs that use a trained model have in common: --model, --threads, decoding overrides.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "decode/loaded_model.h"

namespace heed {

struct ModelArguments {
  std::vector<std::string> models;
  int threads = 0;
  std::string backend = "cpu";

  // Declares --model, --threads and --backend.
  void AddTo(CLI::App& command, bool is_required);
};

// Overrides of a recipe's decoding section.
struct DecodingArguments {
  std::optional<int64_t> beam, max_source_length, batch_sentences;
  std::optional<double> length_penalty, coverage_penalty;

  // Declares --beam, --length-penalty, --coverage-penalty, --max-source-length and
  // --batch-sentences.
  void AddTo(CLI::App& command);
  // As of --set for a recipe: "decoding.beam=5", ...
  std::vector<std::string> Settings() const;
};

// Backend and models of a command.
struct ModelBundle {
  explicit ModelBundle(const ModelArguments& arguments);

  std::unique_ptr<Backend> backend;
  std::vector<std::unique_ptr<LoadedModel>> models;
  TranslationSystem system;
};

}  // namespace heed
