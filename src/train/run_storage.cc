#include "train/run_storage.h"

#include <chrono>

#include "checkpoint/manifest.h"
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

// Whether a run cannot go on with this difference, one line of DescribeDifferences.
bool IsAnotherModel(const std::string& difference) {
  if (difference.starts_with("model.dropout")) return false;
  if (difference.starts_with("model.initialise_from")) return false;  // it has been read
  return difference.starts_with("seed") || difference.starts_with("model.");
}

}  // namespace

RunStorage::RunStorage(const Recipe& recipe, const PreparedData& data, CheckpointStore& checkpoints)
    : recipe_(recipe), data_(data), checkpoints_(checkpoints) {}

std::optional<RunState> RunStorage::Restore(TrainingModel* model) {
  const std::optional<StoredCheckpoint> newest = checkpoints_.FindNewest();
  if (!newest) return std::nullopt;
  CheckBelongs(newest->path);
  RunState state = ReadRunState(newest->path / kStateFile);
  ReadModel(newest->path, model, &state);
  if (state.data_fingerprint != data_.fingerprint) {
    HEED_LOG(warn, "the training data has changed since update {}", state.update);
  }
  HEED_LOG(info, "going on from {} (update {})", newest->path.string(), state.update);
  return state;
}

// A moving average that the recipe now asks for, but the checkpoint lacks, starts at its weights.
void RunStorage::ReadModel(const fs::path& checkpoint, TrainingModel* model,
                           RunState* state) const {
  std::vector<FlatBuffer> buffers = model->Buffers();
  WeightAverage* average = model->step().average();
  const bool starts_average =
      average != nullptr && ReadManifest(checkpoint).Find(kAverageFile) == nullptr;
  if (starts_average) {
    std::erase_if(buffers, [](const FlatBuffer& buffer) { return buffer.file == kAverageFile; });
  }
  ReadBuffers(checkpoint, model->parameters(), buffers);
  if (starts_average) {
    average->Restart();
    HEED_LOG(info, "the moving average of the weights starts at update {}", state->update);
  }
  if (starts_average || average == nullptr) state->average_updates = 0;
}

// Not before the checkpoints, if any, are known to belong to these vocabularies.
void RunStorage::WriteVocabularyFiles() {
  const fs::path directory = fs::path(recipe_.output) / "vocabulary";
  MakeDirectories(directory);
  RemoveLeftovers(directory);
  SaveVocabularies(data_.vocabularies, directory);
  for (const std::string& name : VocabularyFileNames(data_.vocabularies)) {
    vocabulary_files_.push_back(directory / name);
  }
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
    ThrowUserError(
        "{} was trained with another vocabulary: restore the corpora and the options of "
        "'vocabulary' that made it, or train into another directory (output: ...)",
        checkpoint.string());
  }
}

void RunStorage::Save(TrainingModel* model, RunState state) {
  if (vocabulary_files_.empty()) WriteVocabularyFiles();
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
