#include "ops/tape.h"

#include "ops/context.h"
#include "util/check.h"

namespace heed {

Tape::Tape() {
  constexpr size_t kUsualEntries = 4096;
  entries_.reserve(kUsualEntries);
  gradients_.reserve(kUsualEntries);
  blocks_.push_back(std::make_unique<std::byte[]>(kBlockBytes));
}

Tape::~Tape() {
  Reset();
}

int32_t Tape::NewSlot() {
  gradients_.emplace_back();
  return static_cast<int32_t>(gradients_.size()) - 1;
}

void* Tape::Allocate(size_t bytes) {
  constexpr size_t kAlign = alignof(std::max_align_t);
  const size_t need = (bytes + kAlign - 1) / kAlign * kAlign;
  HEED_CHECK(need <= kBlockBytes, "a closure of {} bytes", bytes);
  if (mark_.used + need > kBlockBytes) {
    mark_ = {mark_.block + 1, 0};
    if (mark_.block == blocks_.size()) {
      blocks_.push_back(std::make_unique<std::byte[]>(kBlockBytes));
    }
  }
  void* memory = blocks_[mark_.block].get() + mark_.used;
  mark_.used += need;
  return memory;
}

Tape::Sink Tape::GradientFor(Context& ctx, const Tensor& x) {
  HEED_CHECK(x.wants_gradient(), "a gradient for a tensor that wants none");
  Tensor& gradient = gradients_[static_cast<size_t>(x.slot)];
  if (!gradient) {
    gradient = ctx.New(x.rows(), x.columns());
    return {gradient, false};
  }
  if (!gradient.unique()) {
    Tensor own = ctx.New(gradient.rows(), gradient.columns());
    ctx.backend.Copy(gradient.view(), own.view());
    gradient = std::move(own);
  }
  return {gradient, true};
}

void Tape::PassGradient(Context& ctx, int32_t slot, Tensor gradient) {
  if (slot < 0) return;
  Tensor& waiting = gradients_[static_cast<size_t>(slot)];
  if (!waiting) {
    waiting = std::move(gradient);
    return;
  }
  if (!waiting.unique()) {
    Tensor own = ctx.New(waiting.rows(), waiting.columns());
    ctx.backend.Copy(waiting.view(), own.view());
    waiting = std::move(own);
  }
  ctx.backend.AddTo(gradient.view(), waiting.view());
}

Tensor Tape::TakeGradient(int32_t slot) {
  HEED_CHECK(slot >= 0 && gradients_[static_cast<size_t>(slot)],
             "nobody used the output with gradient slot {}", slot);
  return std::exchange(gradients_[static_cast<size_t>(slot)], Tensor());
}

void Tape::Unwind(Context& ctx) {
  while (!entries_.empty()) {
    const size_t last = entries_.size() - 1;
    if (entries_[last].done) {
      mark_ = entries_[last].mark;
      entries_.pop_back();
      continue;
    }
    // Running may push further entries (a checkpoint re-runs its block); they are unwound first.
    entries_[last].run(entries_[last].object, ctx);
    entries_[last].destroy(entries_[last].object);
    entries_[last].done = true;
  }
  gradients_.clear();
}

void Tape::Reset() {
  for (; !entries_.empty(); entries_.pop_back()) {
    if (!entries_.back().done) entries_.back().destroy(entries_.back().object);
  }
  gradients_.clear();
  mark_ = {};
  recording_ = true;
  recomputing_ = false;
}

void Tape::FinishUse(Parameter& parameter) {
  HEED_CHECK(parameter.open_uses > 0, "more gradients than uses of {}", parameter.name);
  if (--parameter.open_uses == 0 && ready_) ready_(parameter);
}

}  // namespace heed
