// The dictionary at the start of NumPy's .npy, as numpy and Marian write it:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// Source: numpy/lib/format.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "export/marian_format.h"

namespace heed {

struct NpyHeader {
  MarianType type = MarianType::kFloat32;
  std::vector<int64_t> shape;  // of 1 to 8 axes
};

// Nothing if it is something else, or describes another order or type.
std::optional<NpyHeader> ParseNpyHeader(std::string_view text);

}  // namespace heed
