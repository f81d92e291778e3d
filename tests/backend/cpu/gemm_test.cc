// The packed matrix product: values, and bits that depend on nothing but the row and the depth.
#include "backend/cpu/gemm.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace heed {
namespace {

std::vector<float> RandomNumbers(int64_t count, uint32_t op) {
  std::vector<float> numbers(static_cast<size_t>(count));
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(RandomUniform({.seed = 5, .update = 1, .op = op}, i) - 0.5);
  }
  return numbers;
}

std::vector<uint32_t> Bits(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  bits.reserve(values.size());
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

// a [m, k] and b [n, k], each stored by rows or by columns.
struct Problem {
  Problem(int64_t m_rows, int64_t n_rows, int64_t depth) : m(m_rows), n(n_rows), k(depth) {}

  GemmArguments Arguments(std::vector<float>* c) const {
    return {.m = m,
            .n = n,
            .k = k,
            .a = {a.data(), a_by_rows ? k : 1, a_by_rows ? 1 : m},
            .b = {b.data(), b_by_rows ? k : 1, b_by_rows ? 1 : n},
            .c = c->data(),
            .c_stride = n};
  }
  double Expected(int64_t row, int64_t column) const {
    double sum = 0;
    for (int64_t d = 0; d < k; ++d) {
      const int64_t in_a = a_by_rows ? row * k + d : d * m + row;
      const int64_t in_b = b_by_rows ? column * k + d : d * n + column;
      sum += static_cast<double>(a[static_cast<size_t>(in_a)]) *
             static_cast<double>(b[static_cast<size_t>(in_b)]);
    }
    return sum;
  }

  int64_t m, n, k;
  bool a_by_rows = true, b_by_rows = true;
  std::vector<float> a = RandomNumbers(m * k, 1), b = RandomNumbers(n * k, 2);
};

class GemmTest : public testing::TestWithParam<const KernelTable* (*)()> {
 protected:
  const KernelTable& kernels() const { return *GetParam()(); }
};

const KernelTable* Best() {
  return &BestKernels();
}
const KernelTable* Portable() {
  return &PortableKernels();
}
INSTANTIATE_TEST_SUITE_P(Kernels, GemmTest, testing::Values(Best, Portable),
                         [](const auto& instance) {
                           return instance.index == 0 ? "Best" : "Portable";
                         });

TEST_P(GemmTest, RowsHaveTheSameBitsForAnyNumberOfRows) {
  ThreadPool pool(2);
  Gemm gemm(kernels(), pool);
  const std::vector<float> bias = RandomNumbers(600, 3);
  for (const auto& [n, k] : {std::pair<int64_t, int64_t>{70, 40}, {600, 520}, {33, 1100}}) {
    const Problem all(600, n, k);
    const std::vector<float> before = RandomNumbers(600 * n, 4);
    for (const bool plain : {true, false}) {
      const auto run = [&](int64_t rows) {
        std::vector<float> c(before.begin(), before.begin() + rows * n);
        GemmArguments g = all.Arguments(&c);
        g.m = rows;
        g.accumulate = !plain;
        g.bias = plain ? nullptr : bias.data();
        g.relu = !plain;
        gemm(g);
        return Bits(c);
      };
      const std::vector<uint32_t> whole = run(600);
      for (const int64_t rows : {1, 3, 8, 9, 32, 33, 50, 96, 97, 264, 265, 599}) {
        const std::vector<uint32_t> part = run(rows);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin()))
            << rows << " rows, " << n << " columns, depth " << k;
      }
    }
  }
}

TEST_P(GemmTest, ThreadsChangeNoBit) {
  for (const bool by_rows : {true, false}) {
    Problem p(311, 517, 603);
    p.a_by_rows = p.b_by_rows = by_rows;
    std::vector<uint32_t> expected;
    for (const int threads : {1, 2, 5, 16}) {
      ThreadPool pool(threads);
      Gemm gemm(kernels(), pool);
      std::vector<float> c = RandomNumbers(p.m * p.n, 4);
      GemmArguments g = p.Arguments(&c);
      g.accumulate = true;
      gemm(g);
      if (expected.empty()) expected = Bits(c);
      EXPECT_EQ(Bits(c), expected) << threads << " threads";
    }
  }
}

TEST_P(GemmTest, EqualsTheSumOfProductsForEveryLayout) {
  ThreadPool pool(2);
  Gemm gemm(kernels(), pool);
  for (const bool a_by_rows : {true, false}) {
    for (const bool b_by_rows : {true, false}) {
      for (const auto& [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{7, 9, 5},
                                    {1, 130, 700},
                                    {150, 23, 1030},
                                    {280, 300, 17},
                                    {40, 260, 64}}) {
        Problem p(m, n, k);
        p.a_by_rows = a_by_rows;
        p.b_by_rows = b_by_rows;
        std::vector<float> c(static_cast<size_t>(m * n), std::numeric_limits<float>::quiet_NaN());
        gemm(p.Arguments(&c));
        for (int64_t i = 0; i < m * n; ++i) {
          ASSERT_NEAR(c[static_cast<size_t>(i)], p.Expected(i / n, i % n), 2e-5)
              << m << " x " << n << " x " << k << ", element " << i;
        }
      }
    }
  }
}

// 5 million elements of b are packed in two parts.
TEST_P(GemmTest, LargeOperandsArePackedInParts) {
  ThreadPool pool(2);
  Gemm gemm(kernels(), pool);
  Problem p(97, 1250, 4096);
  p.b_by_rows = false;
  std::vector<float> c(static_cast<size_t>(p.m * p.n));
  gemm(p.Arguments(&c));
  for (int64_t i = 0; i < p.m * p.n; i += 997) {
    ASSERT_NEAR(c[static_cast<size_t>(i)], p.Expected(i / p.n, i % p.n), 1e-4) << "element " << i;
  }
}

TEST_P(GemmTest, ReluKeepsNaN) {
  ThreadPool pool(1);
  Gemm gemm(kernels(), pool);
  for (const int64_t rows : {2, 40}) {
    Problem p(rows, 20, 16);
    p.a[0] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> c(static_cast<size_t>(p.m * p.n));
    GemmArguments g = p.Arguments(&c);
    g.relu = true;
    gemm(g);
    EXPECT_TRUE(std::isnan(c[0]));
    EXPECT_TRUE(std::isnan(c[19]));
    EXPECT_FALSE(std::isnan(c[20]));
  }
}

}  // namespace
}  // namespace heed
