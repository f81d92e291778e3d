#include "optim/adam_optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

struct Problem {
  explicit Problem(const OptimizerOptions& options)
      : backend(MakeBackend({.name = "reference", .real = DType::kFloat64})) {
    store.Add("w", 1, 2, Initializer::Constant(0.5));
    store.Allocate(DType::kFloat64, true, &Memory::Host);
    store.Initialize(1);
    optimizer = std::make_unique<AdamOptimizer>(options, store, *backend);
  }
  double& value() { return store.Find("w")->value.Row<double>(0)[1]; }
  double& gradient() { return store.Find("w")->gradient.Row<double>(0)[1]; }

  std::unique_ptr<Backend> backend;
  ParameterStore store;
  std::unique_ptr<AdamOptimizer> optimizer;
};

// With bias correction the first step is the learning rate against the gradient's sign.
TEST(AdamOptimizer, FirstStepsFollowTheFormula) {
  Problem problem({.beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9});
  problem.gradient() = 4;
  problem.optimizer->Step(1, 0.01, 0.5);  // effective gradient 2
  EXPECT_NEAR(problem.value(), 0.49, 1e-9);
  problem.gradient() = -2;
  problem.optimizer->Step(2, 0.01, 0.5);  // effective gradient -1
  const double m = (0.9 * 0.1 * 2 - 0.1 * 1) / (1 - 0.81);
  const double v = (0.98 * 0.02 * 4 + 0.02 * 1) / (1 - 0.98 * 0.98);
  EXPECT_NEAR(problem.value(), 0.49 - 0.01 * m / std::sqrt(v), 1e-9);
}

TEST(AdamOptimizer, AdamWDecaysWeightsApartFromTheGradient) {
  Problem problem({.name = OptimizerKind::kAdamW, .weight_decay = 0.1});
  problem.optimizer->Step(1, 0.01, 1);  // no gradient: decay only
  EXPECT_NEAR(problem.value(), 0.5 * (1 - 0.01 * 0.1), 1e-12);
}

TEST(AdamOptimizer, AdamAddsDecayToTheGradient) {
  Problem problem({.name = OptimizerKind::kAdam, .weight_decay = 0.1});
  problem.optimizer->Step(1, 0.01, 1);  // the decay's gradient has the size of any other
  EXPECT_NEAR(problem.value(), 0.49, 1e-6);
}

TEST(AdamOptimizer, GapsStayZero) {
  Problem problem({.name = OptimizerKind::kAdamW, .weight_decay = 0.1});
  problem.gradient() = 1;
  problem.optimizer->Step(1, 0.01, 1);
  for (int64_t i = 2; i < problem.store.flat_size(); ++i) {
    EXPECT_EQ(problem.store.flat_values().Row<double>(0)[i], 0);
  }
}

// 3 + 3 updates from copied moments equal 6, bit for bit.
TEST(AdamOptimizer, GoesOnFromItsMomentsExactly) {
  const auto step = [](Problem& problem, int64_t update) {
    problem.gradient() = std::sin(static_cast<double>(update));
    problem.optimizer->Step(update, 0.01, 1);
  };
  Problem whole({});
  Problem resumed({});
  for (int64_t update = 1; update <= 3; ++update) step(whole, update);
  resumed.value() = whole.value();
  resumed.backend->Copy(whole.optimizer->first_moment(), resumed.optimizer->first_moment());
  resumed.backend->Copy(whole.optimizer->second_moment(), resumed.optimizer->second_moment());
  for (int64_t update = 4; update <= 6; ++update) {
    step(whole, update);
    step(resumed, update);
  }
  EXPECT_EQ(whole.value(), resumed.value());
}

TEST(AdamOptimizer, FindsTheMinimumOfAParabola) {
  Problem problem({});
  for (int64_t update = 1; update <= 2000; ++update) {
    problem.gradient() = 2 * (problem.value() - 3);
    problem.optimizer->Step(update, 0.01, 1);
  }
  EXPECT_NEAR(problem.value(), 3, 1e-3);
}

}  // namespace
}  // namespace heed
