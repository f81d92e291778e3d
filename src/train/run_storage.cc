#include "train/run_storage.h"

#include <algorithm>
#include <chrono>

#include "config/recipe_difference.h"
#include "config/recipe_reader.h"
#include "config/recipe_writer.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

std::string FingerprintOf(const Vocabularies& vocabularies) {
  return vocabularies.source->fingerprint() + "-" + vocabularies.target->fingerprint();
}

// Whether a run cannot go on with this difference, one line of DescribeDifferences.
bool IsAnotherModel(const std::string& difference) {
  return difference.starts_with("seed") ||
         (difference.starts_with("model.") && !difference.starts_with("model.dropout"));
}

}  // namespace

RunStorage::RunStorage(const Recipe& recipe, const PreparedData& data, CheckpointStore& checkpoints)
    : recipe_(recipe), data_(data), checkpoints_(checkpoints) {
  const fs::path directory = fs::path(recipe_.output) / "vocabulary";
  fs::create_directories(directory);
  SaveVocabularies(data_.vocabularies, directory);
  for (const auto& entry : fs::directory_iterator(directory)) {
    vocabulary_files_.push_back(entry.path());
  }
  std::sort(vocabulary_files_.begin(), vocabulary_files_.end());
}

std::optional<RunState> RunStorage::Restore(TrainingModel* model) {
  const std::optional<StoredCheckpoint> newest = checkpoints_.FindNewest();
  if (!newest) return std::nullopt;
  CheckBelongs(newest->path);
  ReadBuffers(newest->path, model->parameters(), model->Buffers());
  RunState state = ReadRunState(newest->path / kStateFile);
  if (state.data_fingerprint != data_.fingerprint) {
    HEED_LOG(warn, "the training data has changed since update {}", state.update);
  }
  HEED_LOG(info, "going on from {} (update {})", newest->path.string(), state.update);
  return state;
}

void RunStorage::CheckBelongs(const fs::path& checkpoint) const {
  const fs::path file = checkpoint / kRecipeFile;
  const Recipe stored = ParseRecipe(ReadFile(file), file.string());
  for (const std::string& difference : DescribeDifferences(stored, recipe_)) {
    if (IsAnotherModel(difference)) {
      ThrowUserError(
          "{} was trained with another recipe: {}\nTrain into another directory (output: ...), or "
          "restore the recipe",
          checkpoint.string(), difference);
    }
    HEED_LOG(warn, "the recipe has changed: {} (the new value is used)", difference);
  }
  const RunState state = ReadRunState(checkpoint / kStateFile);
  if (state.vocabulary_fingerprint != FingerprintOf(data_.vocabularies)) {
    ThrowUserError("{} was trained with another vocabulary; train into another directory",
                   checkpoint.string());
  }
}

void RunStorage::Save(TrainingModel* model, RunState state) {
  const std::string recipe = WriteRecipe(recipe_);
  state.recipe_fingerprint = HexDigits(Fnv1a64(recipe));
  state.data_fingerprint = data_.fingerprint;
  state.vocabulary_fingerprint = FingerprintOf(data_.vocabularies);
  CheckpointContent content;
  content.parameters = &model->parameters();
  content.buffers = model->Buffers();
  content.state = std::move(state);
  content.recipe = recipe;
  content.copies = vocabulary_files_;
  const auto start = std::chrono::steady_clock::now();
  const fs::path path = checkpoints_.Save(content);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  HEED_LOG(info, "saved {} ({:.1f} s)", path.string(), seconds);
}

}  // namespace heed
