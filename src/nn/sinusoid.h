// Sinusoidal positions (Vaswani et al. 2017, section 3.5) in the variants that toolkits use.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model_options.h"

namespace heed {

// Row-major [positions, width]: row p encodes position p + options.offset. Pair i of width / 2 has
// frequency 10000^(-i / (width/2 - 1)) (t2t) or 10000^(-2 i / width) (paper); sines fill the first
// half and cosines the second (half), or they take turns (interleaved). An odd last column is zero.
std::vector<double> SinusoidTable(const PositionOptions& options, int64_t positions, int64_t width);

}  // namespace heed
