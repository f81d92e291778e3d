#include "optim/weight_average.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(WeightAverage, FollowsTheWeightsAndSwaps) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat64});
  ParameterStore store;
  const Parameter& w = store.Add("w", 1, 1, Initializer::Constant(1));
  store.Allocate(DType::kFloat64, false, &Memory::Host);
  store.Initialize(1);
  WeightAverage average(0.99, store, *backend);
  double& value = w.value.Row<double>(0)[0];
  value = 2;
  average.Update(1);  // decay 2 / 11
  const double expected = 2.0 / 11 * 1 + 9.0 / 11 * 2;
  EXPECT_NEAR(average.average().Row<double>(0)[0], expected, 1e-15);
  average.Swap();
  EXPECT_NEAR(value, expected, 1e-15);
  average.Swap();
  EXPECT_EQ(value, 2);
  average.Update(1000000);
  EXPECT_NEAR(average.average().Row<double>(0)[0], 0.99 * expected + 0.01 * 2, 1e-12);
}

}  // namespace
}  // namespace heed
