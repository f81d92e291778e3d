#include "metrics/numpy_random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;

std::vector<uint64_t> Raw(uint64_t seed) {
  NumpyRandom random(seed);
  return {random.Next64(), random.Next64(), random.Next64()};
}

// numpy.random.PCG64(seed).random_raw(3), NumPy 2.4
TEST(NumpyRandom, RawNumbersEqualNumpys) {
  EXPECT_THAT(Raw(12345), ElementsAre(0x3A32B18DB2FFC19D, 0x51171315C9E4C4DE, 0xCC2024823444EFD9));
  EXPECT_THAT(Raw(0), ElementsAre(0xA30FEBCFD9C2825F, 0x4510BDF882D9D721, 0x0A7D3DA94ECDE8B8));
  EXPECT_THAT(Raw((uint64_t{1} << 40U) + 3),
              ElementsAre(0xC60E533FBBB0872C, 0xFEF0825F71D66341, 0x792240DB6171AC88));
}

TEST(NumpyRandom, HalvesComeLowFirst) {
  NumpyRandom random(12345);
  EXPECT_EQ(random.Next32(), 0xB2FFC19D);
  EXPECT_EQ(random.Next32(), 0x3A32B18D);
  EXPECT_EQ(random.Next32(), 0xC9E4C4DE);
}

// numpy.random.default_rng(12345).choice(10, size=16) and choice(3000000000, size=5)
TEST(NumpyRandom, BoundedNumbersEqualNumpys) {
  NumpyRandom small(12345);
  for (const uint32_t expected : {6, 2, 7, 3, 2, 7, 6, 6, 9, 3, 8, 3, 5, 5, 2, 1}) {
    EXPECT_EQ(small.Below(10), expected);
  }
  NumpyRandom large(12345);  // a limit that rejects a third of the draws
  for (const uint32_t expected : {2097645094U, 682008066U, 2365940964U, 950275018U, 2392096371U}) {
    EXPECT_EQ(large.Below(3000000000U), expected);
  }
}

TEST(NumpyRandom, LimitOneDrawsNothing) {
  NumpyRandom random(12345);
  EXPECT_EQ(random.Below(1), 0);
  EXPECT_EQ(random.Next32(), 0xB2FFC19D);
  EXPECT_THROW(random.Below(0), InternalError);
}

}  // namespace
}  // namespace heed
