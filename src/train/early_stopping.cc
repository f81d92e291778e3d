#include "train/early_stopping.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heed {
namespace {

bool HigherIsBetterFor(const std::string& name) {
  for (const auto& entry : EnumNames(ValidationMetric{})) {
    if (entry.name == name) return HigherIsBetter(entry.value);
  }
  return false;
}

}  // namespace

std::string MetricName(ValidationMetric metric) {
  for (const auto& entry : EnumNames(ValidationMetric{})) {
    if (entry.value == metric) return std::string(entry.name);
  }
  return "?";
}

std::string RecordValidation(const ValidationRecord& record, RunState& state) {
  std::string improved;
  for (const auto& [name, value] : record.metrics) {
    const auto best = state.best.find(name);
    const bool is_first = best == state.best.end() && !std::isnan(value);
    const bool is_better =
        is_first ||
        (best != state.best.end() &&
         (HigherIsBetterFor(name) ? value > best->second.value : value < best->second.value));
    if (is_better) {
      state.best[name] = {value, record.update};
      state.stalled[name] = 0;
      improved += (improved.empty() ? "" : " ") + name;
    } else {
      ++state.stalled[name];
    }
  }
  state.validations.push_back(record);
  return improved;
}

bool HasStalled(const EarlyStoppingOptions& options, const RunState& state) {
  if (options.metrics.empty()) return false;
  const auto stalled = [&](ValidationMetric metric) {
    const auto count = state.stalled.find(MetricName(metric));
    return count != state.stalled.end() && count->second >= options.patience;
  };
  switch (options.when) {
    case StopWhen::kFirst:
      return stalled(options.metrics.front());
    case StopWhen::kAny:
      return std::any_of(options.metrics.begin(), options.metrics.end(), stalled);
    case StopWhen::kAll:
      return std::all_of(options.metrics.begin(), options.metrics.end(), stalled);
  }
  return false;
}

}  // namespace heed
