#include "export/known_positions.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/sinusoid.h"

namespace heed {
namespace {

// The formulas differ by more at position 5; tables in float32 and float16 are off by less.
constexpr double kTolerance = 5e-4;
constexpr int64_t kRows = 512;

std::vector<float> FirstRows(const RowSource& table) {
  const int64_t rows = std::min(table.rows, kRows);
  std::vector<float> values(static_cast<size_t>(rows * table.columns));
  for (int64_t row = 0; row < rows; ++row) {
    table.read(row, std::span(values).subspan(static_cast<size_t>(row * table.columns),
                                              static_cast<size_t>(table.columns)));
  }
  return values;
}

bool Holds(const std::vector<float>& values, const PositionOptions& options, int64_t width) {
  const std::vector<double> formula = SinusoidTable(options, std::ssize(values) / width, width);
  return std::ranges::equal(values, formula, [](float value, double wanted) {
    return std::abs(static_cast<double>(value) - wanted) <= kTolerance;
  });
}

}  // namespace

std::optional<PositionOptions> RecognisePositions(const RowSource& table) {
  const std::vector<float> values = FirstRows(table);
  PositionOptions options;
  if (std::ranges::all_of(values, [](float value) { return value == 0; })) {
    options.kind = PositionKind::kNone;
    return options;
  }
  for (const auto& layout : EnumNames(SinusoidLayout{})) {
    for (const auto& frequency : EnumNames(SinusoidFrequency{})) {
      for (const int64_t offset : {0, 1, 2}) {  // fairseq's begin at 2, of tokens after padding
        options.layout = layout.value;
        options.frequency = frequency.value;
        options.offset = offset;
        if (Holds(values, options, table.columns)) return options;
      }
    }
  }
  return std::nullopt;
}

}  // namespace heed
