// Section `training` of a recipe: batches, optimizer, schedule, stopping, checkpoints.
// Defaults follow the base model of Vaswani et al. 2017, section 5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/constraints.h"
#include "config/enum_names.h"
#include "config/validation_options.h"

namespace heed {

enum class OptimizerKind { kAdam, kAdamW };
constexpr auto EnumNames(OptimizerKind /*tag*/) {
  return std::to_array<EnumName<OptimizerKind>>(
      {{OptimizerKind::kAdam, "adam"}, {OptimizerKind::kAdamW, "adamw"}});
}

enum class ScheduleKind { kInverseSqrt, kPaper, kLinear, kCosine, kConstant };
constexpr auto EnumNames(ScheduleKind /*tag*/) {
  return std::to_array<EnumName<ScheduleKind>>({{ScheduleKind::kInverseSqrt, "inverse_sqrt"},
                                                {ScheduleKind::kPaper, "paper"},
                                                {ScheduleKind::kLinear, "linear"},
                                                {ScheduleKind::kCosine, "cosine"},
                                                {ScheduleKind::kConstant, "constant"}});
}

// When several metrics are watched: the first of the list stalls, any of them, all of them.
enum class StopWhen { kFirst, kAny, kAll };
constexpr auto EnumNames(StopWhen /*tag*/) {
  return std::to_array<EnumName<StopWhen>>(
      {{StopWhen::kFirst, "first"}, {StopWhen::kAny, "any"}, {StopWhen::kAll, "all"}});
}

enum class NonFinitePolicy { kStop, kSkip };
constexpr auto EnumNames(NonFinitePolicy /*tag*/) {
  return std::to_array<EnumName<NonFinitePolicy>>(
      {{NonFinitePolicy::kStop, "stop"}, {NonFinitePolicy::kSkip, "skip"}});
}

enum class BackendKind { kCpu, kReference };
constexpr auto EnumNames(BackendKind /*tag*/) {
  return std::to_array<EnumName<BackendKind>>(
      {{BackendKind::kCpu, "cpu"}, {BackendKind::kReference, "reference"}});
}

// Adam: Kingma and Ba 2015. AdamW, which decays weights apart from the gradient: Loshchilov and
// Hutter 2019.
struct OptimizerOptions {
  OptimizerKind name = OptimizerKind::kAdam;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0;  // adam: added to the gradient; adamw: apart, times the learning rate
  bool initialise = false;  // from model.initialise_from

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("name", name, "Update rule");
    visit("beta1", beta1, "Decay of the mean of gradients", FromZeroToBelowOne{});
    visit("beta2", beta2, "Decay of the mean of squared gradients", FromZeroToBelowOne{});
    visit("epsilon", epsilon, "Added to the root of the second moment", Above{0});
    visit(
        "weight_decay", weight_decay,
        "adam: times the weights, added to the gradient; adamw: times rate and weights, taken off "
        "the weights",
        AtLeast{0});
    visit("initialise", initialise,
          "Start with the moments of the run in 'model.initialise_from', and with its last weights "
          "rather than their average");
  }
  bool operator==(const OptimizerOptions&) const = default;
};

// The learning rate is a pure function of the update's number s = 1, 2, ...; w = warmup_updates.
struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::kInverseSqrt;
  double peak_rate = 7e-4;               // at the end of warm-up; all kinds but paper
  double paper_scale = 1;                // paper: scale * model_width^-0.5 * min(s^-0.5, s w^-1.5)
  int64_t warmup_updates = 4000;         // linear from 0; 0 = none
  std::optional<int64_t> total_updates;  // linear, cosine: where final_rate is reached
  double final_rate = 0;                 // linear, cosine

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("kind", kind,
          "Curve after warm-up; paper is the formula of Vaswani et al. 2017, section 5.3");
    visit("peak_rate", peak_rate, "Learning rate at the end of warm-up (all kinds but paper)",
          Above{0});
    visit("paper_scale", paper_scale, "paper: factor on the formula", Above{0});
    visit("warmup_updates", warmup_updates, "Updates of linear warm-up; 0 = none", AtLeast{0});
    visit("total_updates", total_updates,
          "linear, cosine: update that reaches 'final_rate'; not set means 'training.stop.updates'",
          AtLeast{1});
    visit("final_rate", final_rate, "linear, cosine: learning rate at the end", AtLeast{0});
  }
  bool operator==(const ScheduleOptions&) const = default;
};

// Training ends at whichever comes first; without any, early stopping or a signal ends it.
struct StopOptions {
  std::optional<int64_t> updates;
  std::optional<double> epochs;
  std::optional<int64_t> tokens;  // target tokens
  std::optional<double> hours;    // of training time over all resumed parts

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("updates", updates, "Stop after that many updates", AtLeast{1});
    visit("epochs", epochs, "Stop after that many passes over the training data", Above{0});
    visit("tokens", tokens, "Stop after that many target tokens", AtLeast{1});
    visit("hours", hours, "Stop after that many hours, resumed parts added up", Above{0});
  }
  bool operator==(const StopOptions&) const = default;
};

struct EarlyStoppingOptions {
  std::vector<ValidationMetric> metrics;  // empty = off
  StopWhen when = StopWhen::kFirst;
  int64_t patience = 10;  // validations without a new best

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("metrics", metrics,
          "Metrics of 'validation.metrics' to watch; empty = no early stopping");
    visit("when", when, "Stop when the first metric has stalled, any of them, or all of them");
    visit("patience", patience, "Validations in a row without a new best after which one stalls",
          AtLeast{1});
  }
  bool operator==(const EarlyStoppingOptions&) const = default;
};

struct CheckpointOptions {
  int64_t every = 1000;   // updates
  int64_t keep_last = 5;  // checkpoints
  int64_t keep_best = 1;  // checkpoints, taken at validations
  ValidationMetric best_metric = ValidationMetric::kNll;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("every", every, "Updates between checkpoints", AtLeast{1});
    visit("keep_last", keep_last, "Newest checkpoints kept", AtLeast{1});
    visit("keep_best", keep_best, "Best checkpoints kept, of those validated; 0 = none",
          AtLeast{0});
    visit("best_metric", best_metric, "Metric of 'validation.metrics' that ranks them");
  }
  bool operator==(const CheckpointOptions&) const = default;
};

// Exponential moving average of the weights; validation, best checkpoints and translation use it.
struct AverageOptions {
  double decay = 0;  // 0 = off

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("decay", decay, "Share of the old average kept at each update (0.9999 is usual); 0 = off",
          FromZeroToBelowOne{});
  }
  bool operator==(const AverageOptions&) const = default;
};

struct TrainingOptions {
  int64_t batch_tokens = 4096;             // target tokens in one micro-batch, end marks included
  std::optional<int64_t> batch_sentences;  // at most, in one micro-batch
  int64_t accumulate = 1;                  // micro-batches per update
  OptimizerOptions optimizer;
  ScheduleOptions schedule;
  double label_smoothing = 0.1;
  double clip_norm = 0;  // of the gradient per target token; 0 = off
  AverageOptions average;
  std::vector<std::string> freeze;  // parameters, or beginnings of their names
  StopOptions stop;
  EarlyStoppingOptions early_stopping;
  CheckpointOptions checkpoints;
  int64_t log_every = 100;  // updates
  bool tensorboard = true;
  NonFinitePolicy non_finite = NonFinitePolicy::kStop;
  int64_t non_finite_limit = 10;  // skipped updates in a row before training stops
  bool activation_checkpointing = false;
  BackendKind backend = BackendKind::kCpu;
  int64_t threads = 0;  // 0 = all cores

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("batch_tokens", batch_tokens, "Target tokens in a micro-batch, end marks included",
          AtLeast{1});
    visit("batch_sentences", batch_sentences, "Most sentences in a micro-batch; not set = no limit",
          AtLeast{1});
    visit("accumulate", accumulate, "Micro-batches whose gradients are added up for one update",
          AtLeast{1});
    visit("optimizer", optimizer, "How gradients change the weights");
    visit("schedule", schedule, "Learning rate as a function of the update's number");
    visit("label_smoothing", label_smoothing,
          "Share of the probability spread evenly over the vocabulary", FromZeroToBelowOne{});
    visit("clip_norm", clip_norm,
          "Largest global norm of the gradient per target token; 0 = no clipping", AtLeast{0});
    visit("average", average, "Moving average of the weights");
    visit("freeze", freeze,
          "Parameters that no update changes, by name or by its first parts, such as embedding or "
          "decoder.layer1; 'heed inspect MODEL' lists them");
    visit("stop", stop, "Training ends at whichever of these comes first");
    visit("early_stopping", early_stopping, "Stop when validation no longer improves");
    visit("checkpoints", checkpoints, "When checkpoints are written and which are kept");
    visit("log_every", log_every, "Updates between lines of the log", AtLeast{1});
    visit(
        "tensorboard", tensorboard,
        "Write the numbers of metrics.jsonl to a TensorBoard event file in the run directory too");
    visit("non_finite", non_finite,
          "After a gradient that is not finite: stop, or skip the update");
    visit("non_finite_limit", non_finite_limit,
          "skip: updates skipped in a row after which training stops", AtLeast{1});
    visit("activation_checkpointing", activation_checkpointing,
          "Keep only the layers' inputs and compute the rest again in backward: less memory, more "
          "time");
    visit("backend", backend, "Which kernels compute; reference is slow and for checks");
    visit("threads", threads, "Threads for computing; 0 = one per core", AtLeast{0});
  }
  bool operator==(const TrainingOptions&) const = default;
};

}  // namespace heed
