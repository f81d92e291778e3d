// When training ends.
#pragma once

#include <optional>

#include "checkpoint/run_state.h"
#include "config/training_options.h"

namespace heed {

enum class TrainingEnd {
  kStopRule,       // updates, epochs, tokens or hours
  kEarlyStopping,  // validation has stalled
  kSignal,         // saved and left; the same command goes on
  kWasFinished     // nothing was left to do
};

// Whether one of the recipe's rules ends training in this state; `epochs` are the passes over the
// data so far, with a fraction.
std::optional<TrainingEnd> EndByRule(const TrainingOptions& options, const RunState& state,
                                     double epochs);

}  // namespace heed
