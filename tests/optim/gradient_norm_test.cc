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

TEST(GradientNorm, ClipFactorIsOneBelowTheLimit) {
  EXPECT_EQ(ClipFactor(3, 0), 1);
  EXPECT_EQ(ClipFactor(3, 4), 1);
  EXPECT_DOUBLE_EQ(ClipFactor(8, 4), 0.5);
}

}  // namespace
}  // namespace heed
