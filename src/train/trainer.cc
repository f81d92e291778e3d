#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "config/validate.h"
#include "train/early_stopping.h"
#include "train/initial_weights.h"
#include "train/run_position.h"
#include "train/stop_signal.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Trainer::Trainer(const Recipe& recipe)
    : recipe_(recipe),
      checkpoints_((CheckReadyToTrain(recipe), recipe.output), recipe.training.checkpoints),
      threads_(static_cast<int>(recipe.training.threads)),
      data_(PrepareData(recipe_, std::filesystem::path(recipe.output) / "data", threads_)),
      model_(recipe_, data_),
      storage_(recipe_, data_, checkpoints_),
      schedule_(recipe_.training.schedule, recipe_.model.model_width,
                recipe_.training.stop.updates.value_or(0)) {
  if (std::optional<RunState> restored = storage_.Restore(&model_)) {
    state_ = *std::move(restored);
    resumed_ = true;
    saved_update_ = state_.update;
    position_ = ToDataPosition(state_);
  } else {
    state_.seed = static_cast<uint64_t>(recipe_.seed);
    state_.optimizer_start = InitialiseFromModel(recipe_, data_.vocabularies, &model_);
    position_ = FirstPosition(recipe_);
  }
  model_.step().set_optimizer_start(state_.optimizer_start);
  batches_ = std::make_unique<BatchStream>(recipe_, data_, model_.model().start_token(), position_);
  if (data_.valid) {
    validator_ = std::make_unique<Validator>(recipe_, data_, model_.model(), model_.backend(),
                                             [] { return StopSignal::Received() != 0; });
  }
  log_ = std::make_unique<TrainingLog>(recipe_, state_);
}

TrainingEnd Trainer::Run() {
  const StopSignal signal;
  std::optional<TrainingEnd> end = WhyStop();
  if (end && end != TrainingEnd::kSignal && !ValidationIsDue(end)) {
    HEED_LOG(info, "nothing is left to do: this run has finished at update {}", state_.update);
    return TrainingEnd::kWasFinished;
  }
  log_->Start(!resumed_, model_.plan(), model_.backend().Describe());
  Preflight();
  // At the top, a resumed run is where an interrupted one left: it may owe a validation.
  while (true) {
    end = WhyStop();
    const bool validates = ValidationIsDue(end);
    log_->Progress(state_, Epochs(), schedule_.Rate(std::max<int64_t>(1, state_.update)),
                   end.has_value() || validates);
    if (validates) {
      Validate();
      end = WhyStop();
    }
    if (SaveIsDue(end, validates)) Save(end.has_value());
    if (end) return *end;
    Update();
  }
}

// A signal comes first: what is due then is done when the run goes on.
bool Trainer::ValidationIsDue(std::optional<TrainingEnd> end) const {
  if (!validator_ || state_.update == 0 || end == TrainingEnd::kSignal) return false;
  const auto& done = state_.validations;
  if (!done.empty() && done.back().update == state_.update) return false;
  return state_.update % recipe_.validation.every == 0 || end == TrainingEnd::kStopRule;
}

bool Trainer::SaveIsDue(std::optional<TrainingEnd> end, bool has_validated) const {
  if (has_validated) return true;
  return saved_update_ != state_.update &&
         (end.has_value() || state_.update % recipe_.training.checkpoints.every == 0);
}

// The largest batch once, and a validation, so that what could fail after hours fails now.
void Trainer::Preflight() {
  const double seconds =
      model_.TryLargestBatch(static_cast<int32_t>(recipe_.data.filters.max_length));
  log_->Estimate(seconds * static_cast<double>(recipe_.training.accumulate), state_.update);
  if (validator_ && !resumed_) {
    constexpr int64_t kTrialSentences = 16;
    const std::optional<ValidationResult> result = validator_->Run(kTrialSentences);
    if (result) HEED_LOG(info, "validation before training works ({:.1f} s)", result->seconds);
  }
}

void Trainer::Update() {
  const int64_t number = state_.update + 1;
  TrainStep& step = model_.step();
  step.Begin(number);
  const Batch* batch = nullptr;
  double data_seconds = 0;
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < recipe_.training.accumulate; ++i) {
    const Clock::time_point wait = Clock::now();
    batch = &batches_->Next();
    data_seconds += SecondsSince(wait);
    step.Accumulate(*batch);
    position_ = batch->after;
  }
  const UpdateReport report = step.Finish(schedule_.Rate(number));
  const double seconds = SecondsSince(start);
  state_.update = number;
  state_.sentences += report.sentences;
  state_.source_tokens += report.source_tokens;
  state_.target_tokens += report.target_tokens;
  state_.seconds += seconds;
  if (!report.non_finite.empty()) {
    HandleNonFinite(report, *batch);
    return;
  }
  state_.skipped_in_row = 0;
  state_.average_updates += step.average() != nullptr ? 1 : 0;
  log_->AddUpdate(report, seconds - data_seconds, data_seconds);
}

void Trainer::HandleNonFinite(const UpdateReport& report, const Batch& batch) {
  log_->ClearLine();
  ++state_.skipped_updates;
  ++state_.skipped_in_row;
  const std::string where = fmt::format("update {}: {}, in a batch of {} sentences from {} on",
                                        state_.update, report.non_finite, batch.num_sentences(),
                                        data_.Describe(batch.sentence_ids.front()));
  const bool goes_on = recipe_.training.non_finite == NonFinitePolicy::kSkip &&
                       state_.skipped_in_row <= recipe_.training.non_finite_limit;
  if (goes_on) {
    HEED_LOG(warn, "{}; skipped", where);
    return;
  }
  ThrowUserError(
      "{}\nThe checkpoints are as before ({}). Lower training.schedule.peak_rate, lengthen "
      "training.schedule.warmup_updates or set training.clip_norm: 1, and start again",
      where, recipe_.output);
}

void Trainer::Validate() {
  WeightAverage* average = model_.step().average();
  if (average != nullptr) average->Swap();
  const std::optional<ValidationResult> result = validator_->Run();
  if (average != nullptr) average->Swap();
  if (!result) return;  // a signal
  ValidationRecord record;
  record.update = state_.update;
  record.epoch = position_.epoch - 1;
  record.target_tokens = state_.target_tokens;
  record.seconds = state_.seconds;
  record.metrics = result->metrics;
  const std::string improved = RecordValidation(record, state_);
  log_->Validation(*result, state_.update, improved);
}

// A full disk may be emptied before the next checkpoint is due, so only the last one must succeed.
void Trainer::Save(bool is_last) {
  log_->ClearLine();
  StorePosition(position_, &state_);
  try {
    storage_.Save(&model_, state_);
    saved_update_ = state_.update;
  } catch (const UserError& error) {
    if (is_last) throw;
    HEED_LOG(error, "{}; training goes on, and the next checkpoint is tried again", error.what());
  }
}

double Trainer::Epochs() const {
  double per_epoch = 0;
  for (size_t i = 0; i < data_.train.size(); ++i) {
    per_epoch += data_.weights[i] * static_cast<double>(data_.train[i].size());
  }
  return static_cast<double>(position_.epoch - 1) +
         static_cast<double>(position_.sentences()) / std::max(1.0, per_epoch);
}

std::optional<TrainingEnd> Trainer::WhyStop() const {
  if (StopSignal::Received() != 0) return TrainingEnd::kSignal;
  return EndByRule(recipe_.training, state_, Epochs());
}

}  // namespace heed
