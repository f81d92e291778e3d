// Which validations are new bests, and when training has stalled.
#pragma once

#include <string>

#include "checkpoint/run_state.h"
#include "config/training_options.h"

namespace heed {

std::string MetricName(ValidationMetric metric);  // "nll", "bleu", ...

// Enters a validation's metrics into state.best and state.stalled. Returns the names of the metrics
// that reached a new best, "nll bleu".
std::string RecordValidation(const ValidationRecord& record, RunState& state);

// True if the watched metrics have stalled for `patience` validations: the first, any or all of
// them.
bool HasStalled(const EarlyStoppingOptions& options, const RunState& state);

}  // namespace heed
