// Element types of tensors.
#pragma once

#include <cstdint>

namespace heed {

enum class DType : uint8_t { kFloat32, kFloat64, kInt32 };

constexpr int64_t SizeOf(DType type) {
  return type == DType::kFloat64 ? 8 : 4;
}

constexpr const char* Name(DType type) {
  switch (type) {
    case DType::kFloat32:
      return "float32";
    case DType::kFloat64:
      return "float64";
    case DType::kInt32:
      return "int32";
  }
  return "?";
}

template <class T>
inline constexpr DType kDTypeOf = DType::kFloat32;
template <>
inline constexpr DType kDTypeOf<double> = DType::kFloat64;
template <>
inline constexpr DType kDTypeOf<int32_t> = DType::kInt32;

}  // namespace heed
