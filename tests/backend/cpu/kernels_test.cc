// Single-threaded kernels: random bits, elementary functions and selection, for each instruction
// set that this machine has.
#include "backend/cpu/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace heed {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Kernels : public testing::TestWithParam<const KernelTable* (*)()> {
 protected:
  const KernelTable& kernels() const { return *GetParam()(); }
};

const KernelTable* Best() {
  return &BestKernels();
}
const KernelTable* Portable() {
  return &PortableKernels();
}
INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::Values(Best, Portable), [](const auto& instance) {
  return instance.index == 0 ? "Best" : "Portable";
});

TEST_P(Kernels, DropoutDrawsTheBitsOfPhilox) {
  const DropoutKernelSpec dropout{.stream = {.seed = 0x123456789ABCDEF0, .update = 77, .op = 9},
                                  .threshold = DropoutThreshold(0.3),
                                  .scale = 2};
  const std::vector<float> x(1400, 1.0F);
  for (const uint64_t first : {uint64_t{0}, uint64_t{1}, uint64_t{4}, uint64_t{30}, uint64_t{35},
                               uint64_t{0xFFFFFFFF} * 4 - 13, (uint64_t{5} << 40) + 7}) {
    for (const size_t count : {1, 7, 8, 31, 32, 33, 511, 512, 513, 1400}) {
      std::vector<float> y(x.size(), -1.0F);
      kernels().dropout(x.data(), nullptr, dropout, first, static_cast<int64_t>(count), y.data());
      for (size_t i = 0; i < y.size(); ++i) {
        const bool keeps = DropoutKeeps(dropout.stream, first + i, dropout.threshold);
        ASSERT_EQ(y[i], i >= count ? -1.0F : keeps ? 2.0F : 0.0F) << first << " + " << i;
      }
    }
  }
}

std::vector<float> Grid(float low, float high, size_t count) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(count - 1);
  }
  return x;
}

TEST_P(Kernels, SiluIsExactToAFewRoundings) {
  const std::vector<float> x = Grid(-80, 80, 100003);
  std::vector<float> y(x.size());
  kernels().activation_forward(Activation::kSilu, x.data(), static_cast<int64_t>(x.size()),
                               y.data());
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = static_cast<double>(x[i]) / (1 + std::exp(-static_cast<double>(x[i])));
    ASSERT_NEAR(y[i], exact, 4e-7 * std::abs(exact)) << x[i];
  }
}

TEST_P(Kernels, GeluKeepsItsRelativePrecisionInTheTail) {
  const std::vector<float> x = Grid(-9, 9, 100003);
  std::vector<float> y(x.size());
  kernels().activation_forward(Activation::kGelu, x.data(), static_cast<int64_t>(x.size()),
                               y.data());
  for (size_t i = 0; i < x.size(); ++i) {
    const auto v = static_cast<double>(x[i]);
    const double exact = v * 0.5 * std::erfc(-v / std::sqrt(2.0));
    // e^(-x^2 / 2): the rounding of the exponent counts x^2 / 2 times.
    ASSERT_NEAR(y[i], exact, (5e-7 + 6e-8 * v * v) * std::abs(exact)) << x[i];
  }
}

TEST_P(Kernels, ActivationsOfExtremesAreTheirLimitsAndNaNStaysNaN) {
  const std::vector<float> x = {-kInfinity, -1e30F, -200, 200, 1e30F, kNaN};
  std::vector<float> y(x.size());
  for (const Activation activation : {Activation::kGelu, Activation::kSilu, Activation::kRelu}) {
    kernels().activation_forward(activation, x.data(), static_cast<int64_t>(x.size()), y.data());
    for (const size_t i : {1, 2}) EXPECT_NEAR(y[i], 0, 1e-6) << x[i];
    for (const size_t i : {3, 4}) EXPECT_EQ(y[i], x[i]);
    EXPECT_TRUE(std::isnan(y[5])) << static_cast<int>(activation);
  }
}

TEST_P(Kernels, LogSoftmaxOfANaNIsNaNEverywhere) {
  std::vector<float> x = Grid(-3, 3, 21);
  x[13] = kNaN;
  kernels().log_softmax(x.data(), 21);
  EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](float v) { return std::isnan(v); }));
}

TEST_P(Kernels, TopKIsAStableSort) {
  for (const int64_t n : {1, 2, 9, 64, 1000, 8193}) {
    std::vector<float> x(static_cast<size_t>(n));
    for (size_t i = 0; i < x.size(); ++i) {  // many ties
      x[i] =
          std::floor(static_cast<float>(RandomUniform({.seed = 3, .update = 0, .op = 0}, i)) * 50);
    }
    std::vector<int32_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return x[static_cast<size_t>(a)] > x[static_cast<size_t>(b)];
    });
    for (const int64_t k : {1, 2, 5, 64}) {
      if (k > n) continue;
      std::vector<float> values(static_cast<size_t>(k));
      std::vector<int32_t> columns(static_cast<size_t>(k));
      kernels().top_k(x.data(), n, k, values.data(), columns.data());
      for (size_t i = 0; i < columns.size(); ++i) {
        ASSERT_EQ(columns[i], order[i]) << k << " of " << n;
        ASSERT_EQ(values[i], x[static_cast<size_t>(order[i])]);
      }
    }
  }
}

TEST_P(Kernels, TopKPrefersAnyNumberToNaN) {
  const std::vector<float> x = {kNaN, -kInfinity, kNaN, 1, kNaN, 2, 0, kNaN, kNaN, 3, kNaN};
  std::vector<float> values(4);
  std::vector<int32_t> columns(4);
  kernels().top_k(x.data(), 11, 4, values.data(), columns.data());
  EXPECT_EQ(columns, (std::vector<int32_t>{9, 5, 3, 6}));
  kernels().top_k(x.data(), 3, 2, values.data(), columns.data());
  EXPECT_EQ(columns[0], 1);
}

}  // namespace
}  // namespace heed
