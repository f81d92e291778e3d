#include "nn/sinusoid.h"

#include <algorithm>
#include <cmath>

namespace heed {

std::vector<double> SinusoidTable(const PositionOptions& options, int64_t positions,
                                  int64_t width) {
  const int64_t half = width / 2;
  const double denominator = options.frequency == SinusoidFrequency::kT2t
                                 ? static_cast<double>(std::max<int64_t>(1, half - 1))
                                 : static_cast<double>(width) / 2;
  std::vector<double> table(static_cast<size_t>(positions * width), 0.0);
  for (int64_t p = 0; p < positions; ++p) {
    double* row = table.data() + p * width;
    for (int64_t i = 0; i < half; ++i) {
      const double angle = static_cast<double>(p + options.offset) *
                           std::pow(10000.0, -static_cast<double>(i) / denominator);
      const bool in_turns = options.layout == SinusoidLayout::kInterleaved;
      row[in_turns ? 2 * i : i] = std::sin(angle);
      row[in_turns ? 2 * i + 1 : half + i] = std::cos(angle);
    }
  }
  return table;
}

}  // namespace heed
