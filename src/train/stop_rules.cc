#include "train/stop_rules.h"

#include "train/early_stopping.h"

namespace heed {

std::optional<TrainingEnd> EndByRule(const TrainingOptions& options, const RunState& state,
                                     double epochs) {
  constexpr double kSecondsPerHour = 3600;
  const StopOptions& stop = options.stop;
  if ((stop.updates && state.update >= *stop.updates) || (stop.epochs && epochs >= *stop.epochs) ||
      (stop.tokens && state.target_tokens >= *stop.tokens) ||
      (stop.hours && state.seconds >= *stop.hours * kSecondsPerHour)) {
    return TrainingEnd::kStopRule;
  }
  if (HasStalled(options.early_stopping, state)) return TrainingEnd::kEarlyStopping;
  return std::nullopt;
}

}  // namespace heed
