#include "export/element_type.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/half_precision.h"
#include "util/check.h"

namespace heed {
namespace {

// Calls use(row) with the values of each row; refuses values that are not finite.
template <class Use>
void ForEachRow(const RowSource& source, const Use& use) {
  std::vector<float> row(static_cast<size_t>(source.columns));
  for (int64_t i = 0; i < source.rows; ++i) {
    source.read(i, row);
    RequireFinite(source, i, row);
    use(std::span<const float>(row));
  }
}

template <class Stored, class Convert>
void WriteConverted(const RowSource& source, AtomicFile& file, const Convert& convert) {
  std::vector<Stored> stored(static_cast<size_t>(source.columns));
  ForEachRow(source, [&](std::span<const float> row) {
    std::ranges::transform(row, stored.begin(), convert);
    file.Write(stored.data(), static_cast<int64_t>(stored.size() * sizeof(Stored)));
  });
}

float FactorOf(std::span<const float> row) {
  float largest = 0;
  for (const float value : row) largest = std::max(largest, std::abs(value));
  // The smallest magnitude whose factor is still a float.
  constexpr float kSmallest = 127 / std::numeric_limits<float>::max();
  return largest == 0 ? 1 : 127 / std::max(largest, kSmallest);
}

}  // namespace

std::string_view SafetensorsName(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return "F32";
    case ElementType::kFloat16:
      return "F16";
    case ElementType::kBfloat16:
      return "BF16";
    case ElementType::kInt8:
      break;
  }
  HEED_CHECK(false, "safetensors with {}", EnumToString(type));
  return {};
}

void RequireFinite(const RowSource& source, int64_t row, std::span<const float> values) {
  if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return;
  ThrowUserError(
      "row {} of {} holds a value that is not a finite number: training went wrong before this "
      "checkpoint; export an earlier one",
      row, source.name);
}

void WriteFloats(const RowSource& source, ElementType type, AtomicFile& file) {
  switch (type) {
    case ElementType::kFloat32:
      ForEachRow(source, [&](std::span<const float> row) {
        file.Write(row.data(), static_cast<int64_t>(row.size_bytes()));
      });
      return;
    case ElementType::kFloat16:
      WriteConverted<uint16_t>(source, file, [&](float value) {
        if (std::abs(value) > kLargestFloat16) {
          ThrowUserError("{} holds {}, float16 ends at {}; export bfloat16 or float32", source.name,
                         value, kLargestFloat16);
        }
        return ToFloat16(value);
      });
      return;
    case ElementType::kBfloat16:
      WriteConverted<uint16_t>(source, file, ToBfloat16);
      return;
    case ElementType::kInt8:
      break;
  }
  HEED_CHECK(false, "{} as floats of type {}", source.name, EnumToString(type));
}

void WriteBytes(const RowSource& source, AtomicFile& file) {
  std::vector<int8_t> bytes(static_cast<size_t>(source.columns));
  ForEachRow(source, [&](std::span<const float> row) {
    const float factor = FactorOf(row);
    std::ranges::transform(row, bytes.begin(), [factor](float value) {
      return static_cast<int8_t>(std::nearbyint(value * factor));
    });
    file.Write(bytes.data(), static_cast<int64_t>(bytes.size()));
  });
}

std::vector<float> RowFactors(const RowSource& source) {
  std::vector<float> factors;
  ForEachRow(source, [&](std::span<const float> row) { factors.push_back(FactorOf(row)); });
  return factors;
}

}  // namespace heed
