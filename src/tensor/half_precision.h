// The 16-bit floats of files: IEEE 754 binary16 ("float16") and bfloat16, as bits. Nothing computes
// in them.
#pragma once

#include <bit>
#include <cstdint>

namespace heed {

inline constexpr float kLargestFloat16 = 65504.0F;

// Rounds to nearest, ties to even; what is too large becomes infinite.
constexpr uint16_t ToFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000U;
  const uint32_t magnitude = bits & 0x7fffffffU;
  uint32_t half = 0;
  if (magnitude > 0x7f800000U) {
    half = 0x7e00U;  // not a number
  } else if (magnitude >= 0x477ff000U) {
    half = 0x7c00U;  // from 65520, which rounds to 2^16
  } else if (magnitude < 0x38800000U) {
    // Below 2^-14, the smallest normal: the sum's last bit is worth 2^-24, as is a subnormal's.
    half = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  } else {
    const uint32_t is_odd = (magnitude >> 13) & 1U;
    half = (magnitude - 0x38000000U + 0xfffU + is_odd) >> 13;
  }
  return static_cast<uint16_t>(sign | half);
}

constexpr float FromFloat16(uint16_t half) {
  const uint32_t sign = (half & 0x8000U) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fU;
  const uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  const uint32_t wide = exponent == 0x1fU ? 0xffU : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

// Rounds to nearest, ties to even.
constexpr uint16_t ToBfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<uint16_t>(bits >> 16 | 0x40U);
  return static_cast<uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

constexpr float FromBfloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

}  // namespace heed
