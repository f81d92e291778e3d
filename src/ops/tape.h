// The tape: a list of backward closures, newest last, and the gradients on their way.
//
// An op that records pushes one closure; the closure's captures are exactly the activations the op
// saves. Unwind runs the closures from the newest to the oldest and destroys each one at once,
// which frees what it saved. Closures live in an arena, gradients in the workspace: no heap in a
// step.
//
// Gradients: the first writer of a slot assigns, later ones accumulate. A tensor may wait in
// several slots at once (the two sides of a residual sum); it is copied before anybody adds to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "tensor/parameter_store.h"
#include "tensor/tensor.h"

namespace heed {

struct Context;

class Tape {
 public:
  Tape();
  ~Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // A gradient slot for the output of an op.
  int32_t NewSlot();

  // Pushes a closure `void(Context&)`.
  template <class Closure>
  void Record(Closure closure) {
    static_assert(alignof(Closure) <= alignof(std::max_align_t));
    const Mark mark = mark_;
    void* memory = Allocate(sizeof(Closure));
    new (memory) Closure(std::move(closure));
    entries_.push_back(
        {memory, [](void* object, Context& ctx) { (*static_cast<Closure*>(object))(ctx); },
         [](void* object) { static_cast<Closure*>(object)->~Closure(); }, mark, false});
  }

  // Where to write the gradient of a tensor, and whether to add to what is there.
  struct Sink {
    Tensor tensor;
    bool accumulate;
  };
  Sink GradientFor(Context& ctx, const Tensor& x);
  // Hands over a finished gradient without a copy if nothing is there yet.
  void PassGradient(Context& ctx, int32_t slot, Tensor gradient);
  // The complete gradient of an op's output. Throws InternalError if nobody used that output.
  Tensor TakeGradient(int32_t slot);

  // Runs and destroys every closure. After an exception the tape must be Reset.
  void Unwind(Context& ctx);
  // Forgets everything without running it.
  void Reset();
  bool empty() const { return entries_.empty(); }

  // A use of a parameter in forward, and the end of that use's part of backward. When the last use
  // is done, the parameter's gradient is complete and the hook is called.
  void CountUse(Parameter& parameter) {
    if (!recomputing_) ++parameter.open_uses;
  }
  void FinishUse(Parameter& parameter);
  void set_on_gradient_ready(std::function<void(Parameter&)> hook) { ready_ = std::move(hook); }

  // For the checkpoint combinator: whether ops push closures, and whether a block is being re-run.
  bool recording() const { return recording_; }
  void set_recording(bool recording) { recording_ = recording; }
  void set_recomputing(bool recomputing) { recomputing_ = recomputing; }

 private:
  struct Mark {
    size_t block = 0, used = 0;
  };
  struct Entry {
    void* object;
    void (*run)(void*, Context&);
    void (*destroy)(void*);
    Mark mark;  // of the arena before this entry
    bool done;
  };
  void* Allocate(size_t bytes);

  static constexpr size_t kBlockBytes = 1 << 18;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  Mark mark_;
  std::vector<Entry> entries_;
  std::vector<Tensor> gradients_;
  std::function<void(Parameter&)> ready_;
  bool recording_ = true;
  bool recomputing_ = false;
};

}  // namespace heed
