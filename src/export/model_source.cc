#include "export/model_source.h"

#include "checkpoint/checkpoint.h"
#include "checkpoint/manifest.h"
#include "checkpoint/model_directory.h"
#include "config/recipe_reader.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Checks everything that is used, that is all but the training state, and opens the weights.
SafetensorsReader OpenWeights(const fs::path& directory, const std::string& weights_file) {
  const Manifest manifest = ReadManifest(directory);
  if (manifest.Find(weights_file) == nullptr) {
    ThrowUserError("{} does not list {}; is this a model that Heed wrote?",
                   (directory / kManifestFile).string(), weights_file);
  }
  for (const ManifestEntry& entry : manifest.files) {
    const bool is_weights = entry.file.ends_with(".safetensors");
    if (entry.file == kStateFile || (is_weights && entry.file != weights_file)) continue;
    VerifyFile(directory, entry);
  }
  return SafetensorsReader(directory / weights_file);
}

Recipe ReadModelRecipe(const fs::path& directory) {
  const fs::path path = directory / kRecipeFile;
  return ParseRecipe(ReadFile(path), path.string());
}

}  // namespace

ModelSource::ModelSource(const fs::path& path)
    : directory_(FindModel(path)),
      update_(ReadManifest(directory_).update),
      weights_file_(WeightsFile(directory_)),
      recipe_(ReadModelRecipe(directory_)),
      vocabularies_(LoadVocabularies(directory_, recipe_.vocabulary)),
      shape_(MakeShape(recipe_.model, vocabularies_)),
      weights_(OpenWeights(directory_, weights_file_)) {}

RowSource ModelSource::Rows(std::string_view name) const {
  RowSource source = TensorRows(weights_.Get(name));
  // Weights of one output are stored as vectors too.
  const bool is_matrix = name.ends_with(".weight") && !name.ends_with("norm.weight");
  if (is_matrix) source.is_vector = false;
  return source;
}

}  // namespace heed
