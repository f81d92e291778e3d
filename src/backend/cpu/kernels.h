// The single-threaded kernels of the cpu backend, as a table of functions per instruction set. The
// bodies are in kernels/ and are compiled once for each set (kernels_avx2.cc, kernels_portable.cc);
// the classes around them split rows, columns or tiles over threads.
#pragma once

#include <cstdint>
#include <type_traits>

#include "backend/backend.h"

namespace heed {

inline constexpr int64_t kMaxGemmDepth = 512;        // of a GemmBlock
inline constexpr int64_t kAttentionQueryBlock = 48;  // queries whose scores are held at once
inline constexpr int64_t kAttentionKeyBlock = 256;   // and keys
inline constexpr int64_t kAttentionScores = kAttentionQueryBlock * (kAttentionKeyBlock + 16);

struct DropoutKernelSpec {
  RandomStream stream;
  uint32_t threshold = 0;  // an element is dropped if its bits are below; 0 drops nothing
  float scale = 1;         // of what stays
};

// c [rows, columns] = or += a b (+ bias, ReLU), b in packed panels (see PackPanels).
struct GemmBlock {
  // Packed panels of gemm_rows rows, [depth][gemm_rows] each, a_stride apart; or, if `a_in_place`,
  // rows with contiguous depth, a_stride apart.
  const float* a = nullptr;
  int64_t a_stride = 0;
  bool a_in_place = false;
  const float* b = nullptr;  // panels of gemm_columns columns, [depth][gemm_columns] each
  int64_t b_stride = 0;      // from panel to panel
  int64_t rows = 0, columns = 0, depth = 0;
  float* c = nullptr;
  int64_t c_stride = 0;
  bool add_to_c = false;
  const float* bias = nullptr;  // [columns] or null
  bool relu = false;
};

// The same product for few rows of a, which are packed instead of b: panels of 8 rows,
// [depth][8] each, a_stride apart. The rows of b have contiguous depth and are b_stride apart.
// Bit for bit what gemm_block gives, called for each depth_block in turn.
struct FewRowsProduct {
  const float *a = nullptr, *b = nullptr;
  int64_t a_stride = 0, b_stride = 0;
  int64_t rows = 0, columns = 0, depth = 0, depth_block = 0;
  float* c = nullptr;
  int64_t c_stride = 0;
  bool add_to_c = false;
  const float* bias = nullptr;  // [columns] or null
  bool relu = false;
};

// Rows of x to pack: element (r, d) is at x[r * row_stride + d * depth_stride]; one stride is 1.
struct PackSource {
  const float* x = nullptr;
  int64_t row_stride = 0, depth_stride = 0;
  int64_t rows = 0, depth = 0;
};

// One head of one sentence. Pointers are at the head's first column of the sentence's first row.
struct AttentionHead {
  const float *q = nullptr, *k = nullptr, *v = nullptr;
  int64_t q_stride = 0, k_stride = 0, v_stride = 0;
  int64_t num_queries = 0, num_keys = 0, width = 0;
  bool causal = false;
  float scale = 1;
  DropoutKernelSpec dropout;
  uint64_t first_row = 0;      // of the dropout numbering: (query row * heads + head)
  uint64_t row_increment = 0;  // heads
  float* scratch = nullptr;    // see AttentionScratch in cpu_attention.cc
};

struct AttentionHeadGradients {
  const float *y = nullptr, *dy = nullptr;  // [num_queries, width]
  int64_t y_stride = 0, dy_stride = 0;
  const float* log_sums = nullptr;  // [num_queries], stride log_sums_stride
  int64_t log_sums_stride = 0;
  float *dq = nullptr, *dk = nullptr, *dv = nullptr;
  int64_t dq_stride = 0, dk_stride = 0, dv_stride = 0;
};

// All heads of one query over cached rows: step t's key is row history[t] of k, likewise for v.
struct CachedQuery {
  const float *q = nullptr, *k = nullptr, *v = nullptr;
  int64_t k_stride = 0, v_stride = 0;
  const int32_t* history = nullptr;
  int64_t steps = 0, heads = 0, width = 0;
  float scale = 1;
  float* scratch = nullptr;  // [steps + 8]
};

// All heads of one query and the keys it sees.
struct AttentiveQuery {
  const float *q = nullptr, *k = nullptr;
  int64_t k_stride = 0;
  int64_t num_keys = 0, heads = 0, width = 0;
  float scale = 1;
  float* scratch = nullptr;  // [num_keys + 8]
};

// A slice of the columns of dy and x, and [rows, 2] statistics.
struct NormRows {
  const float *dy = nullptr, *x = nullptr, *statistics = nullptr;
  int64_t dy_stride = 0, x_stride = 0, statistics_stride = 0;
  int64_t rows = 0, columns = 0;
};

struct AdamKernelSpec {
  float gradient_factor, l2, beta1, beta2, one_minus_beta1, one_minus_beta2;
  float step;                // learning rate / (1 - beta1^t)
  float inverse_correction;  // 1 / sqrt(1 - beta2^t)
  float epsilon;
  float decay;  // 1 - learning rate * weight decay
};

struct KernelTable {
  const char* name;
  int64_t gemm_rows, gemm_columns;

  void (*pack_panels)(const PackSource& source, int64_t panel, float* out, int64_t panel_stride);
  void (*gemm_block)(const GemmBlock& block);
  void (*gemm_few_rows)(const FewRowsProduct& product);

  void (*fill)(float* y, int64_t n, float value);
  void (*add)(const float* x, int64_t n, float* y);
  void (*add_rows)(const float* x, int64_t stride, int64_t rows, int64_t columns, float* y);
  void (*activation_forward)(Activation activation, const float* x, int64_t n, float* y);
  void (*activation_backward)(Activation activation, const float* x, const float* dy, int64_t n,
                              float* dx, bool accumulate);
  void (*gated_forward)(Activation activation, const float* x, int64_t n, float* y);
  void (*gated_backward)(Activation activation, const float* x, const float* dy, int64_t n,
                         float* dx, bool accumulate);
  void (*dropout)(const float* x, const float* added, const DropoutKernelSpec& dropout,
                  uint64_t first, int64_t n, float* y);

  void (*norm_forward)(const float* x, const float* gamma, const float* beta, float epsilon,
                       int64_t n, float* y, float* statistics);
  void (*norm_backward_input)(const float* dy, const float* x, const float* gamma,
                              const float* statistics, int64_t n, float* dx, bool accumulate);
  void (*norm_backward_weight)(const NormRows& rows, float* dgamma, float* dbeta);

  void (*attention_forward)(const AttentionHead& head, float* y, int64_t y_stride, float* log_sums,
                            int64_t log_sums_stride);
  void (*attention_backward)(const AttentionHead& head, const AttentionHeadGradients& gradients);
  void (*cached_attention)(const CachedQuery& query, float* y);
  void (*attention_weights)(const AttentiveQuery& query, float* weights);
  // y = scale * x, or y += scale * x.
  void (*scaled)(const float* x, float scale, int64_t n, float* y, bool accumulate);

  void (*cross_entropy)(float* logits, int64_t n, int64_t label, double smoothing,
                        const double* gradient_scale, float* losses);
  void (*log_softmax)(float* x, int64_t n);
  void (*top_k)(const float* x, int64_t n, int64_t k, float* values, int32_t* columns);

  double (*sum_of_squares)(const float* x, int64_t n);
  void (*adam)(const AdamKernelSpec& spec, const float* gradient, int64_t n, float* value,
               float* first_moment, float* second_moment);
  void (*moving_average)(const float* value, float decay, int64_t n, float* average);
};

const KernelTable& Avx2Kernels();
const KernelTable& PortableKernels();
// The best table for this machine.
const KernelTable& BestKernels();

}  // namespace heed
