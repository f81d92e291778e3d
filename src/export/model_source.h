// A trained model on disk, as exporters see it: its recipe, its vocabularies, and its weights by
// the names of the parameter store. The weights stay in the file and are read row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "checkpoint/safetensors_reader.h"
#include "config/recipe.h"
#include "data/vocabulary.h"
#include "export/row_source.h"
#include "models/transformer/transformer_shape.h"

namespace heed {

class ModelSource {
 public:
  // Finds the model that `path` names and chooses its weights as `heed translate` does
  // (model_directory.h), and checks the checksums of the files that it uses. Throws UserError.
  explicit ModelSource(const std::filesystem::path& path);

  const std::filesystem::path& directory() const { return directory_; }
  int64_t update() const { return update_; }
  const std::string& weights_file() const { return weights_file_; }  // the average, or the last
  const Recipe& recipe() const { return recipe_; }
  const ModelOptions& options() const { return recipe_.model; }
  const Vocabularies& vocabularies() const { return vocabularies_; }
  // What MakeModel needs.
  const TransformerShape& shape() const { return shape_; }

  const SafetensorsReader& weights() const { return weights_; }
  // Throws UserError if there is no such tensor.
  RowSource Rows(std::string_view name) const;

 private:
  std::filesystem::path directory_;
  int64_t update_ = 0;
  std::string weights_file_;
  Recipe recipe_;
  Vocabularies vocabularies_;
  TransformerShape shape_;
  SafetensorsReader weights_;
};

}  // namespace heed
