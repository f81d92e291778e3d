#include "train/training_log.h"

#include <fmt/format.h>

#include <filesystem>

#include "config/recipe_writer.h"
#include "util/logging.h"

namespace heed {
namespace {

int64_t LastValidation(const RunState& state) {
  return state.validations.empty() ? -1 : state.validations.back().update;
}

}  // namespace

TrainingLog::TrainingLog(const Recipe& recipe, const RunState& state)
    : recipe_(recipe),
      metrics_(std::filesystem::path(recipe.output) / "metrics.jsonl", state.update,
               LastValidation(state)) {
  if (recipe.training.tensorboard) {
    tensorboard_.emplace(recipe.output, state.update, LastValidation(state));
  }
}

void TrainingLog::Start(bool is_new, const MemoryPlan& plan, const std::string& backend) const {
  if (is_new) HEED_LOG(info, "the recipe, complete:\n{}", WriteRecipe(recipe_));
  HEED_LOG(info, "{} parameters on {}; seed {}", plan.num_parameters, backend, recipe_.seed);
  HEED_LOG(info, "memory: {}", Describe(plan));
}

void TrainingLog::Estimate(double seconds_per_update, int64_t updates_done) {
  seconds_per_update_ = seconds_per_update;
  const std::optional<int64_t>& last = recipe_.training.stop.updates;
  if (!last) {
    HEED_LOG(info, "about {:.2f} s an update", seconds_per_update);
    return;
  }
  const int64_t left = *last - updates_done;
  HEED_LOG(info, "about {:.2f} s an update, {} for {} updates, validation not counted",
           seconds_per_update, FormatDuration(seconds_per_update * static_cast<double>(left)),
           left);
}

void TrainingLog::AddUpdate(const UpdateReport& report, double compute_seconds,
                            double data_seconds) {
  window_.Add(report, compute_seconds, data_seconds);
  const double seconds = compute_seconds + data_seconds;
  seconds_per_update_ =
      seconds_per_update_ > 0 ? 0.95 * seconds_per_update_ + 0.05 * seconds : seconds;
}

void TrainingLog::Progress(const RunState& state, double epoch, double learning_rate, bool is_due) {
  const ProgressPlace place{.update = state.update,
                            .epoch = epoch,
                            .learning_rate = learning_rate,
                            .last_update = recipe_.training.stop.updates};
  const std::string text = DescribeProgress(place, window_, seconds_per_update_);
  if (!is_due && state.update % recipe_.training.log_every != 0) {
    line_.Show(text);
    return;
  }
  line_.Clear();
  if (window_.updates == 0) return;
  HEED_LOG(info, "{}", text);
  WriteWindow(place, state);
  window_ = {};
}

void TrainingLog::WriteWindow(const ProgressPlace& place, const RunState& state) {
  const auto tokens = static_cast<double>(window_.target_tokens);
  WriteMetrics(
      state.update, "train",
      {{"loss_nats", window_.loss_sum / tokens},
       {"nll_nats", window_.nll_sum / tokens},
       {"learning_rate", place.learning_rate},
       {"gradient_norm", window_.gradient_norm_sum / static_cast<double>(window_.updates)},
       {"target_tokens_per_second", window_.tokens_per_second()},
       {"data_wait_share", window_.data_seconds / (window_.data_seconds + window_.compute_seconds)},
       {"epoch", place.epoch},
       {"target_tokens", static_cast<double>(state.target_tokens)},
       {"training_seconds", state.seconds}});
}

void TrainingLog::WriteMetrics(int64_t update, const std::string& kind,
                               const std::map<std::string, double>& values) {
  metrics_.Write(update, kind, values);
  if (tensorboard_) tensorboard_->Write(update, kind, values);
}

void TrainingLog::Validation(const ValidationResult& result, int64_t update,
                             const std::string& improved) {
  std::string text;
  for (const auto& [name, value] : result.metrics) text += fmt::format(" {} {:.4f}", name, value);
  HEED_LOG(info, "validation at update {}:{} ({:.1f} s){}", update, text, result.seconds,
           improved.empty() ? "" : "; new best " + improved);
  std::map<std::string, double> values = result.metrics;
  values["validation_seconds"] = result.seconds;
  WriteMetrics(update, "valid", values);
  if (result.translations.empty()) return;
  const size_t sample = static_cast<size_t>(update) % result.translations.size();
  HEED_LOG(info, "  source       {}\n           translation  {}\n           reference    {}",
           result.sources[sample], result.translations[sample], result.references[sample]);
}

}  // namespace heed
