#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "config/recipe_difference.h"
#include "config/recipe_reader.h"
#include "config/recipe_writer.h"
#include "config/validate.h"
#include "models/model_factory.h"
#include "train/early_stopping.h"
#include "train/stop_signal.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string BackendName(BackendKind kind) {
  return kind == BackendKind::kReference ? "reference" : "cpu";
}

std::string VocabularyFingerprint(const Vocabularies& vocabularies) {
  return vocabularies.source->fingerprint() + "-" + vocabularies.target->fingerprint();
}

}  // namespace

Trainer::Trainer(const Recipe& recipe)
    : recipe_(recipe),
      checkpoints_((CheckReadyToTrain(recipe), recipe.output), recipe.training.checkpoints),
      threads_(static_cast<int>(recipe.training.threads)),
      data_(PrepareData(recipe_, std::filesystem::path(recipe.output) / "data", threads_)) {
  SaveVocabularyFiles();
  BuildModel();
  Resume();
  schedule_ = std::make_unique<Schedule>(recipe_.training.schedule, recipe_.model.model_width,
                                         recipe_.training.stop.updates.value_or(0));
  batches_ = std::make_unique<BatchStream>(recipe_, data_, model_->start_token(), StartPosition());
  if (data_.valid) validator_ = std::make_unique<Validator>(recipe_, data_, *model_, *backend_);
  metrics_ = std::make_unique<MetricsLog>(std::filesystem::path(recipe_.output) / "metrics.jsonl",
                                          state_.update);
}

void Trainer::SaveVocabularyFiles() {
  const std::filesystem::path directory = std::filesystem::path(recipe_.output) / "vocabulary";
  std::filesystem::create_directories(directory);
  SaveVocabularies(data_.vocabularies, directory);
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    vocabulary_files_.push_back(entry.path());
  }
  std::sort(vocabulary_files_.begin(), vocabulary_files_.end());
}

void Trainer::BuildModel() {
  backend_ = MakeBackend({.name = BackendName(recipe_.training.backend),
                          .num_threads = static_cast<int>(recipe_.training.threads)});
  const TransformerShape shape{.options = recipe_.model,
                               .source_vocabulary = data_.source_tokenizer().size(),
                               .target_vocabulary = data_.target_tokenizer().size(),
                               .begin_id = data_.target_tokenizer().bos_id()};
  plan_ = PlanMemory(recipe_, shape, TrainingLimits(recipe_, data_));
  model_ = MakeModel(store_, shape, recipe_.training.activation_checkpointing);
  store_.Allocate(backend_->real(), true,
                  [this](int64_t bytes) { return backend_->Allocate(bytes); });
  store_.Initialize(static_cast<uint64_t>(recipe_.seed));
  // First fit is measured for some shapes only; the slab costs what is touched, so leave room.
  step_ = std::make_unique<TrainStep>(recipe_, *model_, store_, *backend_,
                                      plan_.workspace_bytes + plan_.workspace_bytes / 2);
}

std::vector<FlatBuffer> Trainer::Buffers() {
  std::vector<FlatBuffer> buffers = {
      {std::string(kModelFile), "", store_.flat_values()},
      {std::string(kOptimizerFile), "first_moment.", step_->optimizer().first_moment()},
      {std::string(kOptimizerFile), "second_moment.", step_->optimizer().second_moment()}};
  if (step_->average() != nullptr) {
    buffers.push_back({std::string(kAverageFile), "", step_->average()->average()});
  }
  return buffers;
}

void Trainer::Resume() {
  const std::optional<StoredCheckpoint> newest = checkpoints_.FindNewest();
  state_.seed = static_cast<uint64_t>(recipe_.seed);
  if (!newest) return;
  CheckSameModel(newest->path);
  ReadBuffers(newest->path, store_, Buffers());
  state_ = ReadRunState(newest->path / kStateFile);
  resumed_ = true;
  saved_update_ = state_.update;
  if (state_.data_fingerprint != data_.fingerprint) {
    HEED_LOG(warn, "the training data has changed since update {}", state_.update);
  }
  HEED_LOG(info, "going on from {} (update {})", newest->path.string(), state_.update);
}

void Trainer::CheckSameModel(const std::filesystem::path& checkpoint) const {
  const std::filesystem::path file = checkpoint / kRecipeFile;
  const Recipe stored = ParseRecipe(ReadFile(file), file.string());
  for (const std::string& difference : DescribeDifferences(stored, recipe_)) {
    const bool changes_function =
        difference.starts_with("model.") && !difference.starts_with("model.dropout");
    if (changes_function || difference.starts_with("seed")) {
      ThrowUserError(
          "{} was trained with another recipe: {}\nTrain into another directory (output: ...), or "
          "restore the recipe",
          checkpoint.string(), difference);
    }
    HEED_LOG(warn, "the recipe has changed: {} (the new value is used)", difference);
  }
  const RunState state = ReadRunState(checkpoint / kStateFile);
  if (state.vocabulary_fingerprint != VocabularyFingerprint(data_.vocabularies)) {
    ThrowUserError("{} was trained with another vocabulary; train into another directory",
                   checkpoint.string());
  }
}

DataPosition Trainer::StartPosition() const {
  if (!resumed_) return FirstPosition(recipe_);
  DataPosition position;
  position.seed = state_.data_seed;
  position.corpora = state_.data_corpora;
  position.epoch = state_.epoch + 1;
  for (const DataSegmentRecord& segment : state_.data_segments) {
    position.segments.push_back(
        {{segment.target_tokens, segment.source_tokens, segment.batch_sentences},
         segment.sentences});
  }
  return position;
}

std::optional<int64_t> Trainer::LastUpdate() const {
  return recipe_.training.stop.updates;
}

TrainingEnd Trainer::Run() {
  const StopSignal signal;
  position_ = StartPosition();
  if (const auto finished = WhyStop()) {
    HEED_LOG(info, "nothing is left to do: this run has finished at update {}", state_.update);
    return TrainingEnd::kWasFinished;
  }
  PrintStart();
  Preflight();
  std::optional<TrainingEnd> end;
  while (!end) {
    Update();
    end = WhyStop();
    const bool validates = validator_ && (state_.update % recipe_.validation.every == 0 ||
                                          (end == TrainingEnd::kStopRule));
    LogProgress(end.has_value() || validates);
    if (validates) {
      Validate();
      if (!end) end = WhyStop();
    }
    if (validates || end || state_.update % recipe_.training.checkpoints.every == 0) Save();
  }
  line_.Clear();
  return *end;
}

void Trainer::PrintStart() {
  if (!resumed_) HEED_LOG(info, "the recipe, complete:\n{}", WriteRecipe(recipe_));
  HEED_LOG(info, "{} parameters on {}; seed {}", plan_.num_parameters, backend_->Describe(),
           recipe_.seed);
  HEED_LOG(info, "memory: {}", Describe(plan_));
}

// The largest batch once, and a validation, so that what could fail after hours fails now.
void Trainer::Preflight() {
  const BatchLimits limits = TrainingLimits(recipe_, data_);
  const auto length = static_cast<int32_t>(
      std::min<int64_t>(recipe_.data.filters.max_length, limits.target_tokens));
  const Clock::time_point start = Clock::now();
  step_->Begin(1);
  step_->Accumulate(
      UniformBatch(std::max<int64_t>(1, limits.target_tokens / length), length, length));
  seconds_per_update_ = SecondsSince(start) * static_cast<double>(recipe_.training.accumulate);
  if (LastUpdate()) {
    HEED_LOG(
        info, "about {:.2f} s an update, {} for {} updates, validation not counted",
        seconds_per_update_,
        FormatDuration(seconds_per_update_ * static_cast<double>(*LastUpdate() - state_.update)),
        *LastUpdate() - state_.update);
  } else {
    HEED_LOG(info, "about {:.2f} s an update", seconds_per_update_);
  }
  if (validator_ && !resumed_) {
    constexpr int64_t kTrialSentences = 16;
    const ValidationResult result = validator_->Run(kTrialSentences);
    HEED_LOG(info, "validation before training works ({:.1f} s)", result.seconds);
  }
}

void Trainer::Update() {
  const int64_t number = state_.update + 1;
  const double rate = schedule_->Rate(number);
  step_->Begin(number);
  const Batch* batch = nullptr;
  double data_seconds = 0;
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < recipe_.training.accumulate; ++i) {
    const Clock::time_point wait = Clock::now();
    batch = &batches_->Next();
    data_seconds += SecondsSince(wait);
    step_->Accumulate(*batch);
    position_ = batch->after;
  }
  const UpdateReport report = step_->Finish(rate);
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
  state_.average_updates += step_->average() != nullptr ? 1 : 0;
  window_.Add(report, seconds - data_seconds, data_seconds);
  seconds_per_update_ =
      seconds_per_update_ > 0 ? 0.95 * seconds_per_update_ + 0.05 * seconds : seconds;
}

void Trainer::HandleNonFinite(const UpdateReport& report, const Batch& batch) {
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

void Trainer::LogProgress(bool is_last) {
  const ProgressPlace place{.update = state_.update,
                            .epoch = Epochs(),
                            .learning_rate = schedule_->Rate(state_.update),
                            .last_update = LastUpdate()};
  const std::string text = DescribeProgress(place, window_, seconds_per_update_);
  if (!is_last && state_.update % recipe_.training.log_every != 0) {
    line_.Show(text);
    return;
  }
  line_.Clear();
  if (window_.updates == 0) return;
  HEED_LOG(info, "{}", text);
  const auto tokens = static_cast<double>(window_.target_tokens);
  metrics_->Write(
      state_.update, "train",
      {{"loss_nats", window_.loss_sum / tokens},
       {"nll_nats", window_.nll_sum / tokens},
       {"learning_rate", place.learning_rate},
       {"gradient_norm", window_.gradient_norm_sum / static_cast<double>(window_.updates)},
       {"target_tokens_per_second", window_.tokens_per_second()},
       {"data_wait_share", window_.data_seconds / (window_.data_seconds + window_.compute_seconds)},
       {"epoch", place.epoch},
       {"target_tokens", static_cast<double>(state_.target_tokens)},
       {"training_seconds", state_.seconds}});
  window_ = {};
}

void Trainer::Validate() {
  if (step_->average() != nullptr) step_->average()->Swap();
  const ValidationResult result = validator_->Run();
  if (step_->average() != nullptr) step_->average()->Swap();
  ValidationRecord record;
  record.update = state_.update;
  record.epoch = position_.epoch - 1;
  record.target_tokens = state_.target_tokens;
  record.seconds = state_.seconds;
  record.metrics = result.metrics;
  const std::string improved = RecordValidation(record, state_);
  std::string text;
  for (const auto& [name, value] : result.metrics) text += fmt::format(" {} {:.4f}", name, value);
  HEED_LOG(info, "validation at update {}:{} ({:.1f} s){}", state_.update, text, result.seconds,
           improved.empty() ? "" : "; new best " + improved);
  std::map<std::string, double> values = result.metrics;
  values["validation_seconds"] = result.seconds;
  metrics_->Write(state_.update, "valid", values);
  if (!result.translations.empty()) {
    const size_t sample = static_cast<size_t>(state_.update) % result.translations.size();
    HEED_LOG(info, "  source       {}\n           translation  {}\n           reference    {}",
             result.sources[sample], result.translations[sample], result.references[sample]);
  }
}

void Trainer::Save() {
  if (saved_update_ == state_.update) return;
  state_.epoch = position_.epoch - 1;
  state_.sentences_in_epoch = position_.sentences();
  state_.data_seed = position_.seed;
  state_.data_corpora = position_.corpora;
  state_.data_segments.clear();
  for (const DataPosition::Segment& segment : position_.segments) {
    state_.data_segments.push_back({segment.limits.target_tokens, segment.limits.source_tokens,
                                    segment.limits.sentences, segment.sentences});
  }
  const std::string recipe = WriteRecipe(recipe_);
  state_.recipe_fingerprint = HexDigits(Fnv1a64(recipe));
  state_.data_fingerprint = data_.fingerprint;
  state_.vocabulary_fingerprint = VocabularyFingerprint(data_.vocabularies);
  CheckpointContent content;
  content.parameters = &store_;
  content.buffers = Buffers();
  content.state = state_;
  content.recipe = recipe;
  content.copies = vocabulary_files_;
  const Clock::time_point start = Clock::now();
  const std::filesystem::path path = checkpoints_.Save(content);
  saved_update_ = state_.update;
  HEED_LOG(info, "saved {} ({:.1f} s)", path.string(), SecondsSince(start));
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
  const StopOptions& stop = recipe_.training.stop;
  const double epochs = Epochs();
  if ((stop.updates && state_.update >= *stop.updates) || (stop.epochs && epochs >= *stop.epochs) ||
      (stop.tokens && state_.target_tokens >= *stop.tokens) ||
      (stop.hours && state_.seconds >= *stop.hours * 3600)) {
    return TrainingEnd::kStopRule;
  }
  if (HasStalled(recipe_.training.early_stopping, state_)) return TrainingEnd::kEarlyStopping;
  return std::nullopt;
}

}  // namespace heed
