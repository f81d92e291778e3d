// Activations, gates and dropout.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {
namespace {

DropoutKernelSpec KernelSpec(const DropoutSpec& dropout) {
  return {.stream = dropout.stream,
          .threshold = DropoutThreshold(dropout.rate),
          .scale = static_cast<float>(1 / (1 - dropout.rate))};
}

}  // namespace

void CpuBackend::ActivationForward(Activation activation, ConstMatrixView x, MatrixView y) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.activation_forward(activation, x.Row<float>(row), y.columns, y.Row<float>(row));
    }
  });
}

void CpuBackend::ActivationBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy,
                                    MatrixView dx, bool accumulate) {
  ForRows(dx.rows, dx.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.activation_backward(activation, x.Row<float>(row), dy.Row<float>(row), dx.columns,
                                   dx.Row<float>(row), accumulate);
    }
  });
}

void CpuBackend::GatedForward(Activation activation, ConstMatrixView x, MatrixView y) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.gated_forward(activation, x.Row<float>(row), y.columns, y.Row<float>(row));
    }
  });
}

void CpuBackend::GatedBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy,
                               MatrixView dx, bool accumulate) {
  ForRows(dx.rows, dx.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.gated_backward(activation, x.Row<float>(row), dy.Row<float>(row), dy.columns(),
                              dx.Row<float>(row), accumulate);
    }
  });
}

void CpuBackend::DropoutAdd(ConstMatrixView x, ConstMatrixView residual, const DropoutSpec& dropout,
                            MatrixView y) {
  const DropoutKernelSpec spec = KernelSpec(dropout);
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.dropout(x.Row<float>(row), residual ? residual.Row<float>(row) : nullptr, spec,
                       static_cast<uint64_t>(row * y.columns), y.columns, y.Row<float>(row));
    }
  });
}

void CpuBackend::DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout, MatrixView dx,
                                 bool accumulate) {
  DropoutAdd(dy, accumulate ? ConstMatrixView(dx) : ConstMatrixView(), dropout, dx);
}

}  // namespace heed
