#include "decode/sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

const std::vector<double> kScores = {std::log(0.1), std::log(0.5), std::log(0.15), std::log(0.25)};
SamplingOptions Options(int64_t top_k, double top_p, double temperature = 1) {
  SamplingOptions options;
  options.top_k = top_k;
  options.top_p = top_p;
  options.temperature = temperature;
  return options;
}
bool Nothing(int32_t /*token*/) {
  return false;
}

TEST(Sampler, WalksThroughTheTokensByProbability) {
  const SamplingOptions options;
  EXPECT_EQ(DrawToken(options, kScores, 0.49, Nothing), 1);
  EXPECT_EQ(DrawToken(options, kScores, 0.51, Nothing), 3);
  EXPECT_EQ(DrawToken(options, kScores, 0.76, Nothing), 2);
  EXPECT_EQ(DrawToken(options, kScores, 0.95, Nothing), 0);
}

TEST(Sampler, TopKAndTopPCutTheTail) {
  EXPECT_EQ(DrawToken(Options(2, 1), kScores, 0.999, Nothing), 3);
  EXPECT_EQ(DrawToken(Options(1, 1), kScores, 0.999, Nothing), 1);
  EXPECT_EQ(DrawToken(Options(0, 0.7), kScores, 0.999, Nothing), 3);
  EXPECT_EQ(DrawToken(Options(0, 0), kScores, 0.999, Nothing), 1);
}

TEST(Sampler, TemperatureSharpens) {
  // Squared: 0.25, 0.0625, ...: the best has 0.25 / 0.345.
  EXPECT_EQ(DrawToken(Options(0, 1, 0.5), kScores, 0.72, Nothing), 1);
  EXPECT_EQ(DrawToken(Options(0, 1, 0.5), kScores, 0.73, Nothing), 3);
}

TEST(Sampler, ForbiddenTokensAreNeverDrawn) {
  const auto forbids = [](int32_t token) { return token == 1; };
  EXPECT_EQ(DrawToken(Options(0, 1), kScores, 0.01, forbids), 3);
  EXPECT_THROW(DrawToken(Options(0, 1), kScores, 0.5, [](int32_t) { return true; }), InternalError);
}

}  // namespace
}  // namespace heed
