// Where the translations of a test set come from: a model that makes them now, or files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/model_options.h"
#include "config/recipe.h"

namespace heed {

class EvaluatedSystem {
 public:
  explicit EvaluatedSystem(std::string name) : name_(std::move(name)) {}
  virtual ~EvaluatedSystem() = default;

  const std::string& name() const { return name_; }
  // One line for each line of the test set's source. Throws UserError if there are more or fewer.
  virtual std::vector<std::string> Translations(const TestSetOptions& test,
                                                const std::vector<std::string>& sources) = 0;

 private:
  std::string name_;
};

// The models translate together, by the recipe's decoding section.
std::unique_ptr<EvaluatedSystem> OpenModels(const ModelArguments& models, const Recipe& recipe);

// Translations made earlier: a file, for a recipe of one test set, or a folder that holds NAME.txt
// for every test set. Throws UserError if `path` is neither.
std::unique_ptr<EvaluatedSystem> OpenTranslations(const std::string& path, const Recipe& recipe);

// True if `path` is what OpenTranslations reads, rather than a model.
bool HoldsTranslations(const std::string& path, const Recipe& recipe);

}  // namespace heed
