// The table of one instruction set.
#pragma once

#include "backend/cpu/kernels/attention.h"
#include "backend/cpu/kernels/cached_attention.h"
#include "backend/cpu/kernels/gemm.h"
#include "backend/cpu/kernels/gemm_few_rows.h"
#include "backend/cpu/kernels/loss.h"
#include "backend/cpu/kernels/norm.h"
#include "backend/cpu/kernels/optimizer.h"
#include "backend/cpu/kernels/pointwise.h"

namespace heed::HEED_ISA {

inline void AddRows(const float* x, int64_t stride, int64_t rows, int64_t columns, float* y) {
  for (int64_t row = 0; row < rows; ++row) AddRun(x + row * stride, columns, y);
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
      .norm_backward_weight = NormBackwardWeightRow,
      .attention_forward = AttentionForwardHead,
      .attention_backward = AttentionBackwardHead,
      .cached_attention = CachedAttentionRow,
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
