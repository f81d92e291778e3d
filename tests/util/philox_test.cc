#include "util/philox.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

// Known answers published with the algorithm (Random123, kat_vectors, philox4x32 10 rounds).
TEST(Philox, MatchesThePublishedVectors) {
  const RandomStream zero;
  EXPECT_EQ(PhiloxBlock(zero, 0),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const RandomStream ones{.seed = ~uint64_t{0}, .update = ~0U, .op = ~0U};
  EXPECT_EQ(PhiloxBlock(ones, ~uint64_t{0}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Philox, UniformStaysInsideAndHasTheRightMean) {
  const RandomStream stream{.seed = 7, .update = 1, .op = 2};
  double sum = 0;
  for (uint64_t element = 0; element < 100000; ++element) {
    const double u = RandomUniform(stream, element);
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(Philox, DropoutKeepsTheAskedShare) {
  const RandomStream stream{.seed = 3, .update = 5, .op = 1};
  int kept = 0;
  for (uint64_t element = 0; element < 100000; ++element) {
    kept += DropoutKeeps(stream, element, DropoutThreshold(0.3)) ? 1 : 0;
  }
  EXPECT_NEAR(kept, 70000, 700);
}

}  // namespace
}  // namespace heed
