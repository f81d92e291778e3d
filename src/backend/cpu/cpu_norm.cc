// Layer normalisation.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {
void CpuBackend::LayerNormForward(ConstMatrixView x, ConstMatrixView gamma, ConstMatrixView beta,
                                  double epsilon, MatrixView y, MatrixView statistics) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.norm_forward(x.Row<float>(row), gamma.Row<float>(0), beta.Row<float>(0),
                            static_cast<float>(epsilon), y.columns, y.Row<float>(row),
                            statistics ? statistics.Row<float>(row) : nullptr);
    }
  });
}

void CpuBackend::LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x,
                                        ConstMatrixView gamma, ConstMatrixView statistics,
                                        MatrixView dx, bool accumulate) {
  ForRows(dx.rows, dx.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.norm_backward_input(dy.Row<float>(row), x.Row<float>(row), gamma.Row<float>(0),
                                   statistics.Row<float>(row), dx.columns, dx.Row<float>(row),
                                   accumulate);
    }
  });
}

void CpuBackend::LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x,
                                         ConstMatrixView statistics, MatrixView dgamma,
                                         MatrixView dbeta) {
  if (dy.rows() == 0) return;
  ForColumnSlices(dgamma.columns, [&](int64_t begin, int64_t count) {
    kernels_.norm_backward_weight({.dy = dy.Row<float>(0) + begin,
                                   .x = x.Row<float>(0) + begin,
                                   .statistics = statistics.Row<float>(0),
                                   .dy_stride = dy.stride(),
                                   .x_stride = x.stride(),
                                   .statistics_stride = statistics.stride(),
                                   .rows = dy.rows(),
                                   .columns = count},
                                  dgamma.Row<float>(0) + begin, dbeta.Row<float>(0) + begin);
  });
}

}  // namespace heed
