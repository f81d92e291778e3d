#include "train/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/transformer/transformer.h"
#include "util/files.h"

namespace heed {
namespace {

int64_t MeasureStep(Seq2SeqModel& model, Backend& backend, Tape& tape, const Batch& batch) {
  const Memory slab = Memory::Unbacked(int64_t{1} << 46);
  Workspace workspace(slab.data(), slab.bytes());
  TensorPool tensors(workspace);
  Context ctx{.backend = backend, .tensors = tensors, .tape = &tape, .is_training = true};
  model.Loss(ctx, batch, {.label_smoothing = 0.1});
  tape.Unwind(ctx);
  return workspace.high_water_bytes();
}

}  // namespace

Batch UniformBatch(int64_t num_sentences, int32_t source_length, int32_t target_length) {
  Batch batch;
  const auto count = static_cast<size_t>(num_sentences);
  batch.source = SequenceLayout::FromLengths(std::vector<int32_t>(count, source_length));
  batch.target = SequenceLayout::FromLengths(std::vector<int32_t>(count, target_length));
  batch.source_ids.assign(static_cast<size_t>(batch.source.num_tokens()), 0);
  batch.target_inputs.assign(static_cast<size_t>(batch.target.num_tokens()), 0);
  batch.target_labels.assign(static_cast<size_t>(batch.target.num_tokens()), 0);
  batch.sentence_ids.assign(count, 0);
  return batch;
}

MemoryPlan PlanMemory(const Recipe& recipe, const TransformerShape& shape,
                      const BatchLimits& limits) {
  const auto backend = MakeBackend({.name = "measuring"});
  ParameterStore store;
  Transformer model(store, shape, recipe.training.activation_checkpointing);
  store.Allocate(DType::kFloat32, true, &Memory::Unbacked);

  MemoryPlan plan;
  plan.num_parameters = store.num_parameters();
  plan.value_bytes = store.flat_size() * SizeOf(DType::kFloat32);
  plan.gradient_bytes = plan.value_bytes;
  plan.optimizer_bytes = 2 * plan.value_bytes;
  plan.average_bytes = recipe.training.average.decay > 0 ? plan.value_bytes : 0;

  Tape tape;
  const int64_t tokens = std::max(limits.target_tokens, limits.source_tokens);
  for (const int64_t length : std::array<int64_t, 4>{tokens, 200, 50, 10}) {
    const auto capped = static_cast<int32_t>(std::clamp<int64_t>(length, 1, tokens));
    const int64_t count = std::max<int64_t>(1, tokens / capped);
    const auto source = static_cast<int32_t>(
        std::max<int64_t>(1, std::min<int64_t>(capped, limits.source_tokens / count)));
    const auto target = static_cast<int32_t>(
        std::max<int64_t>(1, std::min<int64_t>(capped, limits.target_tokens / count)));
    plan.workspace_bytes =
        std::max(plan.workspace_bytes,
                 MeasureStep(model, *backend, tape, UniformBatch(count, source, target)));
  }
  return plan;
}

std::string Describe(const MemoryPlan& plan) {
  std::string text =
      fmt::format("parameters {}, gradients {}, optimizer {}, activations {}",
                  FormatBytes(plan.value_bytes), FormatBytes(plan.gradient_bytes),
                  FormatBytes(plan.optimizer_bytes), FormatBytes(plan.workspace_bytes));
  if (plan.average_bytes > 0) text += ", average " + FormatBytes(plan.average_bytes);
  return text + ", together " + FormatBytes(plan.total_bytes());
}

}  // namespace heed
