#include "optim/weight_average.h"

#include <gtest/gtest.h>

#include <vector>

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

TEST(WeightAverage, RestartForgetsWhatWas) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat64});
  ParameterStore store;
  const Parameter& w = store.Add("w", 1, 1, Initializer::Constant(1));
  store.Allocate(DType::kFloat64, false, &Memory::Host);
  store.Initialize(1);
  WeightAverage average(0.99, store, *backend);
  w.value.Row<double>(0)[0] = 2;
  average.Restart();
  EXPECT_EQ(average.average().Row<double>(0)[0], 2);
}

TEST(WeightAverage, SwapsEveryElementOfALargeModel) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat32});
  ParameterStore store;
  store.Add("w", 1000, 200, Initializer::Normal(1));
  store.Add("b", 1, 7, Initializer::Normal(1));
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  store.Initialize(1);
  WeightAverage average(0.99, store, *backend);
  const auto copy = [&store](const MatrixView& flat) {
    return std::vector<float>(flat.Row<float>(0), flat.Row<float>(0) + store.flat_size());
  };
  const std::vector<float> first = copy(store.flat_values());
  store.Initialize(2);
  const std::vector<float> second = copy(store.flat_values());
  average.Swap();
  EXPECT_EQ(copy(store.flat_values()), first);
  EXPECT_EQ(copy(average.average()), second);
  average.Swap();
  EXPECT_EQ(copy(store.flat_values()), second);
  EXPECT_EQ(copy(average.average()), first);
}

}  // namespace
}  // namespace heed
