// A trained model read from disk, ready to translate.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "config/recipe.h"
#include "decode/translator.h"
#include "models/seq2seq_model.h"
#include "text/tokenizer.h"

namespace heed {

struct LoadedModel {
  std::filesystem::path directory;
  Recipe recipe;
  std::shared_ptr<const Tokenizer> source_tokenizer, target_tokenizer;  // one if joint
  ParameterStore store;
  std::unique_ptr<Seq2SeqModel> model;
};

// Finds the model that `path` names (a run, a checkpoint, a link such as runs/x/best), checks it
// and loads the weights to translate with: the moving average if there is one. Throws UserError.
std::unique_ptr<LoadedModel> LoadTranslationModel(const std::filesystem::path& path,
                                                  Backend& backend);

// The system that the models make together; they must outlive it. Throws UserError if their
// vocabularies differ.
TranslationSystem MakeSystem(const std::vector<std::unique_ptr<LoadedModel>>& models);

}  // namespace heed
