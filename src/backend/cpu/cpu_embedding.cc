// Embedding tables and row selection.
#include <algorithm>
#include <cstring>

#include "backend/cpu/cpu_backend.h"

namespace heed {
void CpuBackend::EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table, double scale,
                                  MatrixView y, bool accumulate) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      const int32_t id = ids[static_cast<size_t>(row)];
      if (id >= 0) {
        kernels_.scaled(table.Row<float>(id), static_cast<float>(scale), y.columns,
                        y.Row<float>(row), accumulate);
      } else if (!accumulate) {
        kernels_.fill(y.Row<float>(row), y.columns, 0.0F);
      }
    }
  });
}

// Tokens that share an entry must be added in order, so threads split the columns.
void CpuBackend::EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy, double scale,
                                   MatrixView dtable) {
  ForColumnSlices(dtable.columns, [&](int64_t begin, int64_t count) {
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0) continue;
      kernels_.scaled(dy.Row<float>(static_cast<int64_t>(i)) + begin, static_cast<float>(scale),
                      count, dtable.Row<float>(ids[i]) + begin, true);
    }
  });
}

void CpuBackend::GatherRows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView y) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      std::memcpy(y.Row<float>(row), x.Row<float>(rows[static_cast<size_t>(row)]),
                  static_cast<size_t>(y.columns) * sizeof(float));
    }
  });
}

}  // namespace heed
