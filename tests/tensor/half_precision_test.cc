#include "tensor/half_precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heed {
namespace {

TEST(HalfPrecision, Float16OfKnownValues) {
  EXPECT_EQ(ToFloat16(0.0F), 0x0000);
  EXPECT_EQ(ToFloat16(-0.0F), 0x8000);
  EXPECT_EQ(ToFloat16(1.0F), 0x3c00);
  EXPECT_EQ(ToFloat16(-2.0F), 0xc000);
  EXPECT_EQ(ToFloat16(0.1F), 0x2e66);
  EXPECT_EQ(ToFloat16(kLargestFloat16), 0x7bff);
  EXPECT_EQ(ToFloat16(65519.0F), 0x7bff);
  EXPECT_EQ(ToFloat16(65520.0F), 0x7c00);
  EXPECT_EQ(ToFloat16(0x1p-14F), 0x0400);  // smallest normal
  EXPECT_EQ(ToFloat16(0x1p-24F), 0x0001);  // smallest subnormal
  EXPECT_EQ(ToFloat16(0x1p-25F), 0x0000);  // half of it: to even
  EXPECT_EQ(ToFloat16(0x1.8p-24F), 0x0002);
  EXPECT_EQ(ToFloat16(-std::numeric_limits<float>::infinity()), 0xfc00);
  EXPECT_TRUE(std::isnan(FromFloat16(ToFloat16(std::nanf("")))));
}

TEST(HalfPrecision, Float16TiesGoToTheEvenNeighbour) {
  EXPECT_EQ(ToFloat16(1.0F + 0x1p-11F), 0x3c00);
  EXPECT_EQ(ToFloat16(1.0F + 0x3p-11F), 0x3c02);
  EXPECT_EQ(ToFloat16(1.0F + 0x1.002p-11F), 0x3c01);
}

TEST(HalfPrecision, EveryFloat16AndBfloat16ComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    if (!std::isnan(FromFloat16(half))) {
      EXPECT_EQ(ToFloat16(FromFloat16(half)), half);
    }
    if (!std::isnan(FromBfloat16(half))) {
      EXPECT_EQ(ToBfloat16(FromBfloat16(half)), half);
    }
  }
}

TEST(HalfPrecision, Bfloat16RoundsToNearestEven) {
  EXPECT_EQ(ToBfloat16(1.0F), 0x3f80);
  EXPECT_EQ(ToBfloat16(1.0F + 0x1p-8F), 0x3f80);  // a tie
  EXPECT_EQ(ToBfloat16(1.0F + 0x3p-8F), 0x3f82);
  EXPECT_EQ(ToBfloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(FromBfloat16(ToBfloat16(std::nanf("")))));
}

}  // namespace
}  // namespace heed
