#include "metrics/numpy_sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "util/check.h"

namespace heed {
namespace {

TEST(NumpySum, MeansOfSmallWholeNumbersAreExact) {
  const std::vector<double> values = {1, 2, 3, 6};
  EXPECT_EQ(NumpyMean<float>(values), 3);
  EXPECT_EQ(NumpyMean<double>(values), 3);
  EXPECT_EQ(ExactMean(values), 3);
}

// numpy.float32(numpy.arange(1, 301) / 7).mean(), and of the same numbers in float64
TEST(NumpySum, PairwiseSumsEqualNumpys) {
  std::vector<double> values;
  for (int i = 1; i <= 300; ++i) {
    values.push_back(static_cast<float>(i) / 7.0F);
  }
  EXPECT_EQ(NumpyMean<float>(values), 21.5);
  EXPECT_EQ(NumpyMean<double>(values), 21.500000000248352);
}

// numpy.float32(1) + numpy.arange(300, dtype="float32") * numpy.float32(1e-7): one running sum in
// float32 would give another last digit.
TEST(NumpySum, FloatSumsRoundAsNumpys) {
  std::vector<double> values;
  float running_sum = 0;
  for (int i = 0; i < 300; ++i) {
    values.push_back(1.0F + static_cast<float>(i) * 1e-7F);
    running_sum += static_cast<float>(values.back());
  }
  EXPECT_EQ(NumpyMean<float>(values), static_cast<double>(1.000015F));
  EXPECT_NE(running_sum / 300, 1.000015F);
}

TEST(NumpySum, ExactMeanLosesNothing) {
  const std::vector<double> values = {1e16, 1, -1e16, 1};
  EXPECT_EQ(ExactMean(values), 0.5);
}

TEST(NumpySum, MeanOfNothingIsAnError) {
  EXPECT_THROW(NumpyMean<double>({}), InternalError);
  EXPECT_THROW(ExactMean({}), InternalError);
}

}  // namespace
}  // namespace heed
