// The table of one instruction set.
#pragma once

#include "backend/cpu/kernels/attention.h"
#include "backend/cpu/kernels/attention_weights.h"
#include "backend/cpu/kernels/cached_attention.h"
#include "backend/cpu/kernels/gemm.h"
#include "backend/cpu/kernels/gemm_few_rows.h"
#include "backend/cpu/kernels/loss.h"
#include "backend/cpu/kernels/norm.h"
#include "backend/cpu/kernels/optimizer.h"
#include "backend/cpu/kernels/pointwise.h"

namespace heed::HEED_ISA {

template <int kRows>
inline void AddSomeRows(const float* x, int64_t stride, int64_t columns, float* y) {
  ForLanes(columns, [&](int64_t i, auto lanes) {
    Floats sum = lanes.Load(y + i);
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) sum = sum + lanes.Load(x + row * stride + i);
    lanes.Store(y + i, sum);
  });
}

inline void AddRows(const float* x, int64_t stride, int64_t rows, int64_t columns, float* y) {
  int64_t row = 0;
  for (; row + 8 <= rows; row += 8) AddSomeRows<8>(x + row * stride, stride, columns, y);
  for (; row < rows; ++row) AddSomeRows<1>(x + row * stride, stride, columns, y);
}

inline KernelTable MakeTable(const char* name) {
  return {
      .name = name,
      .gemm_rows = kGemmRows,
      .gemm_columns = kGemmVectors * kLanes,
      .pack_panels = PackPanels,
      .gemm_block = GemmBlockKernel,
      .gemm_few_rows = FewRowsKernel,
      .fill = FillRun,
      .add = AddRun,
      .add_rows = AddRows,
      .activation_forward = ActivationForwardRun,
      .activation_backward = ActivationBackwardRun,
      .gated_forward = GatedForwardRow,
      .gated_backward = GatedBackwardRow,
      .dropout = DropoutRun,
      .norm_forward = NormForwardRow,
      .norm_backward_input = NormBackwardInputRow,
      .norm_backward_weight = NormBackwardWeight,
      .attention_forward = AttentionForwardHead,
      .attention_backward = AttentionBackwardHead,
      .cached_attention = CachedAttentionRow,
      .attention_weights = AttentionWeightsRow,
      .scaled = ScaledRun,
      .cross_entropy = CrossEntropyRow,
      .log_softmax = LogSoftmaxRow,
      .top_k = TopKRow,
      .sum_of_squares = SumOfSquaresRun,
      .adam = AdamRun,
      .moving_average = MovingAverageRun,
  };
}

}  // namespace heed::HEED_ISA
