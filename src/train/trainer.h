// Training from a recipe to its best checkpoint: prepare, plan, validate, update, save, stop,
// resume.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "checkpoint/checkpoint_store.h"
#include "config/recipe.h"
#include "data/batch_stream.h"
#include "data/prepare_data.h"
#include "optim/schedule.h"
#include "train/memory_plan.h"
#include "train/metrics_log.h"
#include "train/progress.h"
#include "train/train_step.h"
#include "train/validation.h"

namespace heed {

enum class TrainingEnd {
  kStopRule,       // updates, epochs, tokens or hours
  kEarlyStopping,  // validation has stalled
  kSignal,         // saved and left; the same command goes on
  kWasFinished     // nothing was left to do
};

class Trainer {
 public:
  // Locks the run directory, prepares the data and builds the model; goes on from the newest intact
  // checkpoint if there is one. The recipe given wins over the stored one where they differ, and
  // the differences are logged; another model or vocabulary is a UserError.
  explicit Trainer(const Recipe& recipe);

  // Trains until a stop rule is met or a signal arrives. Afterwards the run directory holds
  // checkpoints/, best, last and metrics.jsonl.
  TrainingEnd Run();

  const RunState& state() const { return state_; }

 private:
  void SaveVocabularyFiles();
  void BuildModel();
  void Resume();
  void CheckSameModel(const std::filesystem::path& checkpoint) const;
  void Preflight();
  void PrintStart();
  void Update();
  void HandleNonFinite(const UpdateReport& report, const Batch& batch);
  void LogProgress(bool is_last);
  void Validate();
  void Save();
  std::optional<TrainingEnd> WhyStop() const;
  std::optional<int64_t> LastUpdate() const;
  std::vector<FlatBuffer> Buffers();
  DataPosition StartPosition() const;
  double Epochs() const;  // passes over the data, with a fraction

  Recipe recipe_;
  CheckpointStore checkpoints_;
  ThreadPool threads_;
  PreparedData data_;
  std::unique_ptr<Backend> backend_;
  ParameterStore store_;
  std::unique_ptr<Seq2SeqModel> model_;
  MemoryPlan plan_;
  std::unique_ptr<TrainStep> step_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<BatchStream> batches_;
  std::unique_ptr<Validator> validator_;
  std::unique_ptr<MetricsLog> metrics_;
  RunState state_;
  DataPosition position_;
  std::vector<std::filesystem::path> vocabulary_files_;  // copied into every checkpoint
  bool resumed_ = false;
  int64_t saved_update_ = -1;
  double seconds_per_update_ = 0;  // a running estimate
  ProgressWindow window_;
  ProgressLine line_;
};

}  // namespace heed
