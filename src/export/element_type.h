// How numbers are stored in exported files.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "config/enum_names.h"
#include "export/row_source.h"
#include "util/files.h"

namespace heed {

enum class ElementType {
  kFloat32,
  kFloat16,   // IEEE 754 binary16
  kBfloat16,  // the upper half of a float32
  kInt8       // weight matrices as bytes with a factor per row, the rest float32
};
constexpr auto EnumNames(ElementType /*tag*/) {
  return std::to_array<EnumName<ElementType>>({{ElementType::kFloat32, "float32"},
                                               {ElementType::kFloat16, "float16"},
                                               {ElementType::kBfloat16, "bfloat16"},
                                               {ElementType::kInt8, "int8"}});
}

constexpr int64_t SizeOf(ElementType type) {
  return type == ElementType::kFloat32 ? 4 : type == ElementType::kInt8 ? 1 : 2;
}

// The name of a type of floats in safetensors files.
std::string_view SafetensorsName(ElementType type);

// Throws UserError if a value of a row is not a finite number.
void RequireFinite(const RowSource& source, int64_t row, std::span<const float> values);

// Writes all rows as float32, float16 or bfloat16. Throws UserError if a value is not finite or too
// large for the type.
void WriteFloats(const RowSource& source, ElementType type, AtomicFile& file);

// int8 with a factor per row: byte = round(value * factor), factor = 127 / the row's largest
// magnitude, 1 for a row of zeros. Source: CTranslate2, docs/quantization.md.
void WriteBytes(const RowSource& source, AtomicFile& file);
std::vector<float> RowFactors(const RowSource& source);

}  // namespace heed
