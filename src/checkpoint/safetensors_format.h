// The safetensors container: 8 bytes little-endian header length, a JSON header, raw little-endian
// row-major data. One table of its element types, shared by reader and writer.
// Source: github.com/huggingface/safetensors, README, "Format".
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype.h"

namespace heed {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian");

inline constexpr int64_t kMaxSafetensorsHeader = 100'000'000;  // bytes; the reference's limit
inline constexpr std::string_view kSafetensorsMetadata = "__metadata__";

struct SafetensorsType {
  std::string_view name;
  int64_t bits;  // of one element
  bool operator==(const SafetensorsType&) const = default;
};

// Largest first: the order in which writers lay tensors out, so that each is aligned.
inline constexpr auto kSafetensorsTypes = std::to_array<SafetensorsType>(
    {{"F64", 64},        {"C64", 64},    {"I64", 64},    {"U64", 64},    {"F32", 32},
     {"I32", 32},        {"U32", 32},    {"F16", 16},    {"BF16", 16},   {"I16", 16},
     {"U16", 16},        {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
     {"F8_E5M2FNUZ", 8}, {"I8", 8},      {"U8", 8},      {"BOOL", 8},    {"F6_E2M3", 6},
     {"F6_E3M2", 6},     {"F4", 4}});

constexpr std::optional<SafetensorsType> FindSafetensorsType(std::string_view name) {
  for (const SafetensorsType& type : kSafetensorsTypes) {
    if (type.name == name) return type;
  }
  return std::nullopt;
}

// What our element types are called in files.
constexpr std::string_view SafetensorsName(DType type) {
  switch (type) {
    case DType::kFloat32:
      return "F32";
    case DType::kFloat64:
      return "F64";
    case DType::kInt32:
      return "I32";
  }
  return "";
}

}  // namespace heed
