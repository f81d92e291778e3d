#include "tensor/parameter_store.h"

#include <gtest/gtest.h>

#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

TEST(ParameterStore, LaysParametersOutInReverseOrderAligned) {
  ParameterStore store;
  const Parameter& first = store.Add("first", 3, 5, Initializer::Constant(1));
  const Parameter& last = store.Add("last", 1, 17, Initializer::Constant(2));
  store.Allocate(DType::kFloat32, true, &Memory::Host);
  EXPECT_EQ(last.offset, 0);
  EXPECT_EQ(first.offset, 32);
  EXPECT_EQ(store.flat_size(), 48);
  EXPECT_EQ(store.num_parameters(), 32);
  store.Initialize(1);
  EXPECT_EQ(store.flat_values().Row<float>(0)[16], 2.0F);
  EXPECT_EQ(store.flat_values().Row<float>(0)[17], 0.0F);  // a gap
  EXPECT_EQ(first.value.Row<float>(2)[4], 1.0F);
}

TEST(ParameterStore, InitialValuesDependOnSeedAndNameOnly) {
  ParameterStore a, b;
  a.Add("w", 4, 4, Initializer::Xavier(4, 4));
  b.Add("other", 9, 9, Initializer::Normal(1));
  b.Add("w", 4, 4, Initializer::Xavier(4, 4));
  for (ParameterStore* store : {&a, &b}) {
    store->Allocate(DType::kFloat64, false, &Memory::Host);
    store->Initialize(11);
  }
  for (int i = 0; i < 16; ++i) {
    const double value = a.Find("w")->value.Row<double>(0)[i];
    EXPECT_EQ(value, b.Find("w")->value.Row<double>(0)[i]);
    EXPECT_LT(std::abs(value), std::sqrt(6.0 / 8));
  }
  EXPECT_NE(a.Find("w")->value.Row<double>(0)[0], a.Find("w")->value.Row<double>(0)[1]);
}

TEST(ParameterStore, NormalHasTheAskedDeviation) {
  ParameterStore store;
  const Parameter& w = store.Add("w", 100, 100, Initializer::Normal(0.3));
  store.Allocate(DType::kFloat64, false, &Memory::Host);
  store.Initialize(5);
  double sum = 0, squares = 0;
  for (int i = 0; i < 10000; ++i) {
    sum += w.value.Row<double>(0)[i];
    squares += std::pow(w.value.Row<double>(0)[i], 2);
  }
  EXPECT_NEAR(sum / 10000, 0, 0.01);
  EXPECT_NEAR(std::sqrt(squares / 10000), 0.3, 0.01);
}

TEST(ParameterStore, NamesAreUnique) {
  ParameterStore store;
  store.Add("w", 1, 1, Initializer::Constant(0));
  EXPECT_THROW(store.Add("w", 1, 1, Initializer::Constant(0)), InternalError);
  EXPECT_EQ(store.Find("v"), nullptr);
}

TEST(ParameterStore, TrainableStretchesLeaveOutWhatIsFrozen) {
  using Stretches = std::vector<ParameterStore::Stretch>;
  ParameterStore store;
  for (const char* name : {"encoder.a", "encoder.b", "encoders", "decoder.a"}) {
    store.Add(name, 1, 16, Initializer::Constant(0));
  }
  store.Allocate(DType::kFloat32, true, &Memory::Host);
  EXPECT_EQ(store.Trainable(), (Stretches{{0, 64}}));
  EXPECT_EQ(store.Freeze("enc"), 0);
  EXPECT_EQ(store.Freeze("encoder.b"), 1);
  EXPECT_EQ(store.Trainable(), (Stretches{{0, 32}, {48, 16}}));
  EXPECT_EQ(store.Freeze("encoder"), 2);
  EXPECT_EQ(store.Trainable(), (Stretches{{0, 32}}));
  EXPECT_EQ(store.Freeze("encoders") + store.Freeze("decoder"), 2);
  EXPECT_TRUE(store.Trainable().empty());
}

}  // namespace
}  // namespace heed
