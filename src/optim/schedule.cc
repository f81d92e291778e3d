#include "optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "util/check.h"

namespace heed {

Schedule::Schedule(const ScheduleOptions& options, int64_t model_width, int64_t stop_updates)
    : options_(options),
      model_width_(static_cast<double>(model_width)),
      total_updates_(static_cast<double>(options.total_updates.value_or(stop_updates))) {
  const bool needs_end =
      options.kind == ScheduleKind::kLinear || options.kind == ScheduleKind::kCosine;
  if (needs_end && total_updates_ <= static_cast<double>(options.warmup_updates)) {
    ThrowUserError(
        "training.schedule: a linear or cosine schedule ends at update {}, but warm-up takes {}; "
        "set training.schedule.total_updates or training.stop.updates to a larger number",
        total_updates_, options.warmup_updates);
  }
}

double Schedule::Rate(int64_t update) const {
  HEED_CHECK(update >= 1, "update {}", update);
  const auto s = static_cast<double>(update);
  const auto w = static_cast<double>(options_.warmup_updates);
  if (options_.kind == ScheduleKind::kPaper) {
    const double rising = w > 0 ? s * std::pow(w, -1.5) : std::pow(s, -0.5);
    return options_.paper_scale * std::pow(model_width_, -0.5) *
           std::min(std::pow(s, -0.5), rising);
  }
  return s < w ? options_.peak_rate * s / w : Decayed(s);
}

double Schedule::Decayed(double s) const {
  const auto w = static_cast<double>(options_.warmup_updates);
  const double peak = options_.peak_rate;
  const double done = std::clamp((s - w) / std::max(1.0, total_updates_ - w), 0.0, 1.0);
  switch (options_.kind) {
    case ScheduleKind::kInverseSqrt:
      return peak * std::sqrt(std::max(1.0, w) / s);
    case ScheduleKind::kLinear:
      return peak + (options_.final_rate - peak) * done;
    case ScheduleKind::kCosine:
      return options_.final_rate +
             (peak - options_.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * done));
    case ScheduleKind::kConstant:
      return peak;
    case ScheduleKind::kPaper:
      break;
  }
  HEED_CHECK(false, "a schedule of no kind");
  return 0;
}

}  // namespace heed
