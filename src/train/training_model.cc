#include "train/training_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "data/batch_stream.h"
#include "models/model_factory.h"
#include "util/check.h"

namespace heed {
namespace {

std::string BackendName(BackendKind kind) {
  return kind == BackendKind::kReference ? "reference" : "cpu";
}

// training.freeze.
void Freeze(const std::vector<std::string>& names, ParameterStore* store) {
  for (const std::string& name : names) {
    if (store->Freeze(name) > 0) continue;
    std::set<std::string> parts;
    for (const auto& parameter : store->parameters()) {
      parts.insert(parameter->name.substr(0, parameter->name.find('.')));
    }
    ThrowUserError("training.freeze names '{}', but no parameter's name begins so; there are {}",
                   name, fmt::join(parts, ", "));
  }
  if (store->Trainable().empty()) ThrowUserError("training.freeze leaves nothing to train");
}

}  // namespace

TrainingModel::TrainingModel(const Recipe& recipe, const PreparedData& data)
    : limits_(TrainingLimits(recipe, data)),
      backend_(MakeBackend({.name = BackendName(recipe.training.backend),
                            .num_threads = static_cast<int>(recipe.training.threads)})) {
  const TransformerShape shape = MakeShape(recipe.model, data.vocabularies);
  plan_ = PlanMemory(recipe, shape, limits_);
  model_ = MakeModel(store_, shape, recipe.training.activation_checkpointing);
  store_.Allocate(backend_->real(), true,
                  [this](int64_t bytes) { return backend_->Allocate(bytes); });
  store_.Initialize(static_cast<uint64_t>(recipe.seed));
  Freeze(recipe.training.freeze, &store_);
  // First fit is measured for some shapes only; the slab costs what is touched, so leave room.
  step_ = std::make_unique<TrainStep>(recipe, *model_, store_, *backend_,
                                      plan_.workspace_bytes + plan_.workspace_bytes / 2);
}

std::vector<FlatBuffer> TrainingModel::Buffers() {
  std::vector<FlatBuffer> buffers = {
      {std::string(kModelFile), "", store_.flat_values()},
      {std::string(kOptimizerFile), "first_moment.", step_->optimizer().first_moment()},
      {std::string(kOptimizerFile), "second_moment.", step_->optimizer().second_moment()}};
  if (step_->average() != nullptr) {
    buffers.push_back({std::string(kAverageFile), "", step_->average()->average()});
  }
  return buffers;
}

double TrainingModel::TryLargestBatch(int32_t length) {
  const auto cut = static_cast<int32_t>(std::min<int64_t>(length, limits_.target_tokens));
  const auto start = std::chrono::steady_clock::now();
  step_->Begin(1);
  step_->Accumulate(UniformBatch(std::max<int64_t>(1, limits_.target_tokens / cut), cut, cut));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace heed
