#include "optim/gradient_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heed {
namespace {

TEST(GradientNorm, ClipsToTheNormAndNamesWhatIsNotFinite) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat32});
  ParameterStore store;
  Parameter& a = store.Add("a", 2, 3, Initializer::Constant(0));
  store.Add("b", 1, 2, Initializer::Constant(0));
  store.Allocate(DType::kFloat32, true, &Memory::Host);
  a.gradient.Row<float>(1)[2] = 3;
  store.Find("b")->gradient.Row<float>(0)[1] = -4;
  EXPECT_DOUBLE_EQ(GradientNorm(*backend, store, 0.5), 2.5);
  EXPECT_EQ(FirstNonFinite(store), "");
  a.gradient.Row<float>(1)[2] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(std::isfinite(GradientNorm(*backend, store, 1)));
  EXPECT_EQ(FirstNonFinite(store), "a[1, 2] = inf");
}

TEST(GradientNorm, NamesTheFirstElementInTheOrderOfTheForwardPass) {
  for (const DType type : {DType::kFloat32, DType::kFloat64}) {
    ParameterStore store;
    store.Add("first", 2, 2, Initializer::Constant(0));
    store.Add("second", 1, 2, Initializer::Constant(0));
    store.Allocate(type, true, &Memory::Host);
    const auto set = [&store, type](const char* name, int64_t element, double value) {
      const MatrixView& gradient = store.Find(name)->gradient;
      if (type == DType::kFloat64) {
        gradient.Row<double>(0)[element] = value;
      } else {
        gradient.Row<float>(0)[element] = static_cast<float>(value);
      }
    };
    set("second", 1, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(FirstNonFinite(store), "second[0, 1] = -inf");
    set("first", 3, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(FirstNonFinite(store), "first[1, 1] = nan");
  }
}

TEST(GradientNorm, LargeFiniteFloatsDoNotOverflow) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat32});
  ParameterStore store;
  const Parameter& w = store.Add("w", 1, 2, Initializer::Constant(0));
  store.Allocate(DType::kFloat32, true, &Memory::Host);
  w.gradient.Row<float>(0)[0] = 3e38F;
  w.gradient.Row<float>(0)[1] = -3e38F;
  EXPECT_NEAR(GradientNorm(*backend, store, 1) / (std::sqrt(2.0) * 3e38), 1, 1e-6);
}

TEST(GradientNorm, ClipFactorIsOneBelowTheLimit) {
  EXPECT_EQ(ClipFactor(3, 0), 1);
  EXPECT_EQ(ClipFactor(3, 4), 1);
  EXPECT_EQ(ClipFactor(4, 4), 1);
  EXPECT_EQ(ClipFactor(0, 4), 1);
  EXPECT_DOUBLE_EQ(ClipFactor(8, 4), 0.5);
}

}  // namespace
}  // namespace heed
