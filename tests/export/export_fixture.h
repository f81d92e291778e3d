// Small models with random weights, on disk as training leaves them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "config/recipe.h"
#include "data/vocabulary.h"
#include "tests/util/temporary_directory.h"

namespace heed {

// A recipe for a model of two layers and width 16; see ExportVariants for others.
Recipe SmallRecipe();

// One with two SentencePiece models that cut text into the pieces of one list, as OPUS-MT's models.
Recipe ListedRecipe();

struct ModelVariant {
  std::string name;
  Recipe recipe;
};
// Models that differ in every switch that formats must express.
std::vector<ModelVariant> ExportVariants();

// SentencePiece models trained on made-up text: a joint one of 90 pieces, or one of 52 for the
// source and one of 48 for the target; with `shared_ids` also a list of both's pieces.
Vocabularies MakeVocabularies(const Recipe& recipe);

// A model directory below a temporary one. No value is what initialisation gives, so that a bias
// or a norm in the wrong place shows, and end marks are likely enough for sentences of some tokens.
// `with_average` adds average.safetensors with other values.
class ModelOnDisk {
 public:
  explicit ModelOnDisk(const Recipe& recipe, bool with_average = false);

  std::filesystem::path path() const { return directory_ / "model"; }
  // A path beside the model, for output.
  std::filesystem::path operator/(const std::string& name) const { return directory_ / name; }

 private:
  TemporaryDirectory directory_;
};

}  // namespace heed
