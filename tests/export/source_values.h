// All values of a row source, row by row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "export/row_source.h"

namespace heed {

inline std::vector<float> ValuesOf(const RowSource& source) {
  const auto columns = static_cast<size_t>(source.columns);
  std::vector<float> values(static_cast<size_t>(source.rows) * columns);
  for (int64_t row = 0; row < source.rows; ++row) {
    source.read(row, std::span(values).subspan(static_cast<size_t>(row) * columns, columns));
  }
  return values;
}

}  // namespace heed
