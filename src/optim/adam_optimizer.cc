#include "optim/adam_optimizer.h"

namespace heed {

AdamOptimizer::AdamOptimizer(const OptimizerOptions& options, const ParameterStore& store,
                             Backend& backend)
    : options_(options),
      store_(store),
      backend_(backend),
      first_(backend.Allocate(store.flat_size() * SizeOf(store.type()))),
      second_(backend.Allocate(store.flat_size() * SizeOf(store.type()))) {}

void AdamOptimizer::Step(int64_t update, double learning_rate, double gradient_factor) {
  const bool decoupled = options_.name == OptimizerKind::kAdamW;
  AdamArguments arguments;
  arguments.learning_rate = learning_rate;
  arguments.beta1 = options_.beta1;
  arguments.beta2 = options_.beta2;
  arguments.epsilon = options_.epsilon;
  arguments.weight_decay = decoupled ? options_.weight_decay : 0;
  arguments.l2 = decoupled ? 0 : options_.weight_decay;
  arguments.update = update;
  arguments.gradient_factor = gradient_factor;
  for (const auto& [begin, count] : store_.Trainable()) {
    arguments.value = store_.flat_values().Columns(begin, count);
    arguments.gradient = store_.flat_gradients().Columns(begin, count);
    arguments.first_moment = first_moment().Columns(begin, count);
    arguments.second_moment = second_moment().Columns(begin, count);
    backend_.Adam(arguments);
  }
}

MatrixView AdamOptimizer::View(const Memory& memory) const {
  return {memory.data(), store_.type(), 1, store_.flat_size(), store_.flat_size()};
}

}  // namespace heed
