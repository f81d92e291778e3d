#include "nn/sinusoid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

TEST(Sinusoid, HalfLayoutWithT2tFrequencies) {
  const std::vector<double> table = SinusoidTable({}, 3, 4);
  const double* row = table.data() + 2 * 4;
  EXPECT_DOUBLE_EQ(row[0], std::sin(2.0));
  EXPECT_DOUBLE_EQ(row[1], std::sin(2.0 / 10000));
  EXPECT_DOUBLE_EQ(row[2], std::cos(2.0));
  EXPECT_DOUBLE_EQ(row[3], std::cos(2.0 / 10000));
}

TEST(Sinusoid, InterleavedLayoutWithPaperFrequencies) {
  const PositionOptions options{
      .layout = SinusoidLayout::kInterleaved, .frequency = SinusoidFrequency::kPaper, .offset = 1};
  const std::vector<double> table = SinusoidTable(options, 1, 4);
  EXPECT_DOUBLE_EQ(table[0], std::sin(1.0));
  EXPECT_DOUBLE_EQ(table[1], std::cos(1.0));
  EXPECT_DOUBLE_EQ(table[2], std::sin(1.0 / 100));
  EXPECT_DOUBLE_EQ(table[3], std::cos(1.0 / 100));
}

TEST(Sinusoid, WidthTwoDoesNotDivideByZero) {
  const std::vector<double> table = SinusoidTable({}, 2, 2);
  EXPECT_DOUBLE_EQ(table[2], std::sin(1.0));
  EXPECT_DOUBLE_EQ(table[3], std::cos(1.0));
}

}  // namespace
}  // namespace heed
