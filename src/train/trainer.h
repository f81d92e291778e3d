// Training from a recipe to its best checkpoint: prepare, plan, validate, update, save, stop,
// resume.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "checkpoint/checkpoint_store.h"
#include "config/recipe.h"
#include "data/batch_stream.h"
#include "data/prepare_data.h"
#include "optim/schedule.h"
#include "train/run_storage.h"
#include "train/stop_rules.h"
#include "train/training_log.h"
#include "train/training_model.h"
#include "train/validation.h"

namespace heed {

class Trainer {
 public:
  // Locks the run directory, prepares the data and builds the model; goes on from the newest intact
  // checkpoint if there is one (see RunStorage::Restore).
  explicit Trainer(const Recipe& recipe);

  // Trains until a stop rule is met or a signal arrives. Afterwards the run directory holds
  // checkpoints/, best, last and metrics.jsonl.
  TrainingEnd Run();

  const RunState& state() const { return state_; }

 private:
  void Preflight();
  void Update();
  void HandleNonFinite(const UpdateReport& report, const Batch& batch);
  bool ValidationIsDue(std::optional<TrainingEnd> end) const;
  void Validate();
  bool SaveIsDue(std::optional<TrainingEnd> end, bool has_validated) const;
  void Save(bool is_last);
  std::optional<TrainingEnd> WhyStop() const;
  double Epochs() const;  // passes over the data, with a fraction

  Recipe recipe_;
  CheckpointStore checkpoints_;
  ThreadPool threads_;
  PreparedData data_;
  TrainingModel model_;
  RunStorage storage_;
  RunState state_;
  DataPosition position_;
  bool resumed_ = false;
  int64_t saved_update_ = 0;  // nothing needs saving before the first update
  Schedule schedule_;
  std::unique_ptr<BatchStream> batches_;
  std::unique_ptr<Validator> validator_;
  std::unique_ptr<TrainingLog> log_;
};

}  // namespace heed
