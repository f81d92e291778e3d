// What a run keeps on disk between two starts: its vocabularies and checkpoints, tied to its recipe
// and data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint_store.h"
#include "config/recipe.h"
#include "data/prepare_data.h"
#include "train/training_model.h"

namespace heed {

class RunStorage {
 public:
  // References must outlive the storage.
  RunStorage(const Recipe& recipe, const PreparedData& data, CheckpointStore& checkpoints);

  // Fills the model from the newest intact checkpoint and returns the state of the run there;
  // nothing for a new run. The recipe given wins over the stored one where they differ, and the
  // differences are logged; another model, seed or vocabulary is a UserError and changes nothing.
  std::optional<RunState> Restore(TrainingModel* model);

  // Writes the checkpoint of state.update.
  void Save(TrainingModel* model, RunState state);

 private:
  void CheckBelongs(const std::filesystem::path& checkpoint) const;
  void ReadModel(const std::filesystem::path& checkpoint, TrainingModel* model,
                 RunState* state) const;
  void WriteVocabularyFiles();

  const Recipe& recipe_;
  const PreparedData& data_;
  CheckpointStore& checkpoints_;
  std::vector<std::filesystem::path> vocabulary_files_;  // copied into every checkpoint
};

}  // namespace heed
