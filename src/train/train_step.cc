#include "train/train_step.h"

#include <fmt/format.h>

#include <cmath>

#include "optim/gradient_norm.h"
#include "util/check.h"

namespace heed {

TrainStep::TrainStep(const Recipe& recipe, Seq2SeqModel& model, ParameterStore& store,
                     Backend& backend, int64_t workspace_bytes)
    : recipe_(recipe),
      model_(model),
      store_(store),
      backend_(backend),
      slab_(backend.Allocate(workspace_bytes)),
      workspace_(slab_.data(), slab_.bytes()),
      tensors_(workspace_),
      optimizer_(recipe.training.optimizer, store, backend) {
  if (recipe.training.average.decay > 0) {
    average_ = std::make_unique<WeightAverage>(recipe.training.average.decay, store, backend);
  }
}

void TrainStep::Begin(int64_t update) {
  HEED_CHECK(update >= 1, "update {}", update);
  update_ = update;
  next_op_ = 0;
  report_ = {};
  backend_.Fill(store_.flat_gradients(), 0);
}

void TrainStep::Accumulate(const Batch& batch) {
  Context ctx{.backend = backend_,
              .tensors = tensors_,
              .tape = &tape_,
              .is_training = true,
              .seed = static_cast<uint64_t>(recipe_.seed),
              .update = static_cast<uint32_t>(update_),
              .next_op = next_op_};
  AddLosses(model_.Loss(ctx, batch, {.label_smoothing = recipe_.training.label_smoothing}), batch);
  tape_.Unwind(ctx);
  next_op_ = ctx.next_op;
}

void TrainStep::AddLosses(const Tensor& losses, const Batch& batch) {
  for (int64_t token = 0; token < losses.rows(); ++token) {
    if (losses.type() == DType::kFloat64) {
      report_.loss_sum += losses.view().Row<double>(token)[0];
      report_.nll_sum += losses.view().Row<double>(token)[1];
    } else {
      report_.loss_sum += static_cast<double>(losses.view().Row<float>(token)[0]);
      report_.nll_sum += static_cast<double>(losses.view().Row<float>(token)[1]);
    }
  }
  report_.target_tokens += batch.num_target_tokens();
  report_.source_tokens += batch.num_source_tokens();
  report_.sentences += batch.num_sentences();
}

// Ops skip only the products for them.
void TrainStep::ForgetFrozenGradients() {
  for (const auto& parameter : store_.parameters()) {
    if (parameter->is_frozen) backend_.Fill(parameter->gradient, 0);
  }
}

UpdateReport TrainStep::Finish(double learning_rate) {
  HEED_CHECK(report_.target_tokens > 0, "update {} has no target token", update_);
  ForgetFrozenGradients();
  const double per_token = 1 / static_cast<double>(report_.target_tokens);
  report_.gradient_norm = GradientNorm(backend_, store_, per_token);
  if (!std::isfinite(report_.loss_sum)) {
    report_.non_finite = fmt::format("loss = {}", report_.loss_sum);
  }
  if (!std::isfinite(report_.gradient_norm)) {
    const std::string where = FirstNonFinite(store_);
    report_.non_finite =
        "gradient of " + (where.empty() ? "no single element (overflow of the norm)" : where);
  }
  if (!report_.non_finite.empty()) return report_;
  optimizer_.Step(optimizer_start_ + update_, learning_rate,
                  per_token * ClipFactor(report_.gradient_norm, recipe_.training.clip_norm));
  if (average_) average_->Update(update_);
  return report_;
}

}  // namespace heed
