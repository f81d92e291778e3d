// Linear layers: three matrix products that differ in which operand lies transposed in memory.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {
namespace {

GemmOperand ByRows(ConstMatrixView x) {
  return {x.Row<float>(0), x.stride(), 1};
}
GemmOperand ByColumns(ConstMatrixView x) {
  return {x.Row<float>(0), 1, x.stride()};
}

}  // namespace

void CpuBackend::Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b,
                        Activation activation, MatrixView y) {
  HEED_CHECK(activation == Activation::kNone || activation == Activation::kRelu,
             "Linear has no epilogue for activation {}", static_cast<int>(activation));
  gemm_({.m = x.rows(),
         .n = w.rows(),
         .k = w.columns(),
         .a = ByRows(x),
         .b = ByRows(w),
         .c = y.Row<float>(0),
         .c_stride = y.stride,
         .bias = b ? b.Row<float>(0) : nullptr,
         .relu = activation == Activation::kRelu});
}

void CpuBackend::LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w, MatrixView dx,
                                     bool accumulate) {
  gemm_({.m = dy.rows(),
         .n = w.columns(),
         .k = w.rows(),
         .a = ByRows(dy),
         .b = ByColumns(w),
         .c = dx.Row<float>(0),
         .c_stride = dx.stride,
         .accumulate = accumulate});
}

void CpuBackend::LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x, MatrixView dw) {
  if (dy.rows() == 0) return;
  gemm_({.m = dw.rows,
         .n = dw.columns,
         .k = dy.rows(),
         .a = ByColumns(dy),
         .b = ByColumns(x),
         .c = dw.Row<float>(0),
         .c_stride = dw.stride,
         .accumulate = true});
}

void CpuBackend::LinearBackwardBias(ConstMatrixView dy, MatrixView db) {
  if (dy.rows() == 0) return;
  ForColumnSlices(db.columns, [&](int64_t begin, int64_t count) {
    kernels_.add_rows(dy.Row<float>(0) + begin, dy.stride(), dy.rows(), count,
                      db.Row<float>(0) + begin);
  });
}

}  // namespace heed
