// All that a running training tells: log lines and a progress line for people, metrics.jsonl for
// machines, the same numbers as curves for TensorBoard.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "checkpoint/run_state.h"
#include "config/recipe.h"
#include "train/memory_plan.h"
#include "train/metrics_log.h"
#include "train/progress.h"
#include "train/tensorboard_writer.h"
#include "train/validation.h"

namespace heed {

class TrainingLog {
 public:
  // Goes on in metrics.jsonl and the event file of the recipe's run behind what `state` has seen.
  // `recipe` must outlive the log.
  TrainingLog(const Recipe& recipe, const RunState& state);

  // Before the first update: the recipe (of a new run), the model's size, the memory, the time.
  void Start(bool is_new, const MemoryPlan& plan, const std::string& backend) const;
  void Estimate(double seconds_per_update, int64_t updates_done);

  void AddUpdate(const UpdateReport& report, double compute_seconds, double data_seconds);
  // After an update: shows the progress, and every log_every updates or if `is_due` writes the
  // window since the last time to both logs.
  void Progress(const RunState& state, double epoch, double learning_rate, bool is_due);
  // Ends the progress line, so that other lines can follow.
  void ClearLine() { line_.Clear(); }
  // `improved` are the metrics that reached a new best.
  void Validation(const ValidationResult& result, int64_t update, const std::string& improved);

 private:
  void WriteWindow(const ProgressPlace& place, const RunState& state);
  void WriteMetrics(int64_t update, const std::string& kind,
                    const std::map<std::string, double>& values);

  const Recipe& recipe_;
  MetricsLog metrics_;
  std::optional<TensorboardWriter> tensorboard_;
  ProgressWindow window_;
  ProgressLine line_;
  double seconds_per_update_ = 0;  // a running estimate
};

}  // namespace heed
