// Loss and decoding: one row at a time.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {

void CpuBackend::CrossEntropy(MatrixView logits, std::span<const int32_t> labels, double smoothing,
                              double gradient_scale, bool with_gradient, MatrixView losses) {
  ForRows(logits.rows, logits.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.cross_entropy(logits.Row<float>(row), logits.columns,
                             labels[static_cast<size_t>(row)], smoothing,
                             with_gradient ? &gradient_scale : nullptr, losses.Row<float>(row));
    }
  });
}

void CpuBackend::LogSoftmax(MatrixView x) {
  ForRows(x.rows, x.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.log_softmax(x.Row<float>(row), x.columns);
    }
  });
}

void CpuBackend::TopK(ConstMatrixView x, int64_t k, MatrixView values, std::span<int32_t> columns) {
  HEED_CHECK(k <= x.columns(), "the {} largest of {} columns", k, x.columns());
  ForRows(x.rows(), x.columns(), [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.top_k(x.Row<float>(row), x.columns(), k, values.Row<float>(row),
                     columns.data() + row * k);
    }
  });
}

}  // namespace heed
