// Attention of one head of one sentence (Vaswani et al. 2017, section 3.2.1).
//
// A block of queries meets all keys at once, so scores need block * num_keys floats, never
// num_queries * num_keys. Keys (and, in backward, values) are first packed into panels.
#pragma once

#include <cmath>

#include "backend/cpu/kernels/gemm.h"
#include "backend/cpu/kernels/math.h"
#include "backend/cpu/kernels/philox_lanes.h"

namespace heed::HEED_ISA {

inline constexpr int64_t kKeyPanel = 16;

inline int64_t RoundToPanel(int64_t n) {
  return (n + kKeyPanel - 1) / kKeyPanel * kKeyPanel;
}

// Keys that query `i` sees.
inline int64_t VisibleKeys(const AttentionHead& h, int64_t i) {
  if (!h.causal) return h.num_keys;
  const int64_t visible = i + 1 + h.num_keys - h.num_queries;
  return visible < 0 ? 0 : visible;
}

// scores [rows, padded keys] = factor * x keys', for packed keys.
inline void ScoreBlock(const float* x, int64_t x_stride, int64_t rows, const AttentionHead& h,
                       const float* panels, int64_t num_keys, float factor, float* scores,
                       int64_t scores_stride) {
  for (int64_t j = 0; j < num_keys; j += kKeyPanel) {
    MultiplySmall<false>({.a = x,
                          .row_stride = x_stride,
                          .depth_stride = 1,
                          .b = panels + j * h.width,
                          .b_stride = kKeyPanel,
                          .rows = rows,
                          .columns = kKeyPanel,
                          .depth = h.width,
                          .c = scores + j,
                          .c_stride = scores_stride,
                          .factor = factor});
  }
}

inline Floats MaxOfRun(const float* x, int64_t n) {
  Floats largest = Set(-INFINITY);
  ForLanes(n, [&](int64_t i, auto lanes) {
    largest = Max(largest, KeepUsed(lanes, lanes.Load(x + i), Set(-INFINITY)));
  });
  return largest;
}

// x = e^(x - shift) in place; returns the sum.
inline float ExpAndSum(float* x, int64_t n, float shift) {
  Floats sum = Zero();
  ForLanes(n, [&](int64_t i, auto lanes) {
    const Floats e = Exp(lanes.Load(x + i) - Set(shift));
    sum = sum + KeepUsed(lanes, e, Zero());
    lanes.Store(x + i, e);
  });
  return Sum(sum);
}

// Calls body(key, mask of what is kept, lanes) over the keys of one row.
template <class Body>
inline void ForKeptKeys(const DropoutKernelSpec& dropout, uint64_t row, int64_t num_keys,
                        Body&& body) {
  alignas(64) uint32_t buffer[kRandomBuffer];
  for (int64_t begin = 0; begin < num_keys; begin += kRandomChunk) {
    const int64_t count = num_keys - begin < kRandomChunk ? num_keys - begin : kRandomChunk;
    const uint32_t* bits =
        RandomWords(dropout.stream, (row << 20) + static_cast<uint64_t>(begin), count, buffer);
    ForLanes(count, [&](int64_t i, auto lanes) {
      body(begin + i, KeepMask(bits + i, dropout.threshold), lanes);
    });
  }
}

inline void DropProbabilities(const AttentionHead& h, int64_t row, float* p, int64_t num_keys) {
  const uint64_t number = h.first_row + static_cast<uint64_t>(row) * h.row_increment;
  ForKeptKeys(h.dropout, number, num_keys, [&](int64_t key, Floats kept, auto lanes) {
    lanes.Store(p + key, And(kept, lanes.Load(p + key) * Set(h.dropout.scale)));
  });
}

// Softmax numerators of one row in place, zeros up to `padded`. Returns 1 / sum (0 for no keys).
inline float SoftmaxRow(const AttentionHead& h, int64_t row, float* scores, int64_t padded,
                        float* log_sum) {
  const int64_t visible = VisibleKeys(h, row);
  for (int64_t key = visible; key < padded; ++key) scores[key] = 0;
  if (visible == 0) {
    if (log_sum != nullptr) *log_sum = -INFINITY;
    return 0;
  }
  const float largest = Largest(MaxOfRun(scores, visible));
  const float sum = ExpAndSum(scores, visible, largest);
  if (log_sum != nullptr) *log_sum = largest + std::log(sum);
  if (h.dropout.threshold != 0) DropProbabilities(h, row, scores, visible);
  return 1.0F / sum;
}

inline void AttentionForwardHead(const AttentionHead& h, float* y, int64_t y_stride,
                                 float* log_sums, int64_t log_sums_stride) {
  const int64_t stride = RoundToPanel(h.num_keys);
  const int64_t block = AttentionQueryBlock(h.num_keys);
  float* panels = h.scratch;
  float* scores = panels + stride * h.width + kLanes;
  PackPanels(h.k, h.k_stride, 1, h.num_keys, h.width, kKeyPanel, panels);
  for (int64_t begin = 0; begin < h.num_queries; begin += block) {
    const int64_t rows = h.num_queries - begin < block ? h.num_queries - begin : block;
    const int64_t seen = VisibleKeys(h, begin + rows - 1);
    ScoreBlock(h.q + begin * h.q_stride, h.q_stride, rows, h, panels, seen, h.scale, scores,
               stride);
    float* out = y + begin * y_stride;
    float inverse_sums[kMaxQueryBlock];
    for (int64_t i = 0; i < rows; ++i) {
      float* log_sum = log_sums == nullptr ? nullptr : log_sums + (begin + i) * log_sums_stride;
      inverse_sums[i] = SoftmaxRow(h, begin + i, scores + i * stride, RoundToPanel(seen), log_sum);
    }
    MultiplySmall<false>({.a = scores,
                          .row_stride = stride,
                          .depth_stride = 1,
                          .b = h.v,
                          .b_stride = h.v_stride,
                          .rows = rows,
                          .columns = h.width,
                          .depth = seen,
                          .c = out,
                          .c_stride = y_stride});
    for (int64_t i = 0; i < rows; ++i) {
      ForLanes(h.width, [&](int64_t j, auto lanes) {
        lanes.Store(out + i * y_stride + j,
                    lanes.Load(out + i * y_stride + j) * Set(inverse_sums[i]));
      });
    }
  }
}

inline Floats DotLanes(const float* x, const float* y, int64_t n) {
  Floats sum = Zero();
  ForLanes(n, [&](int64_t i, auto lanes) { sum = Fma(lanes.Load(x + i), lanes.Load(y + i), sum); });
  return sum;
}

// One row of backward: scores become the dropped-out probabilities, dp the score gradients.
inline void ScoreGradientRow(const AttentionHead& h, const AttentionHeadGradients& g, int64_t row,
                             int64_t padded, float* scores, float* dp) {
  const int64_t visible = VisibleKeys(h, row);
  for (int64_t key = visible; key < padded; ++key) scores[key] = dp[key] = 0;
  const Floats shift = Set(g.log_sums[row * g.log_sums_stride]);
  const Floats delta =
      Set(Sum(DotLanes(g.dy + row * g.dy_stride, g.y + row * g.y_stride, h.width)));
  const auto finish = [&](int64_t key, Floats kept, auto lanes) {
    const Floats p = Exp(lanes.Load(scores + key) - shift);
    const Floats keep_scale = And(kept, Set(h.dropout.scale));
    const Floats dprobability = And(kept, lanes.Load(dp + key) * Set(h.dropout.scale));
    lanes.Store(dp + key, p * (dprobability - delta) * Set(h.scale));
    lanes.Store(scores + key, p * keep_scale);
  };
  if (h.dropout.threshold != 0) {
    const uint64_t number = h.first_row + static_cast<uint64_t>(row) * h.row_increment;
    ForKeptKeys(h.dropout, number, visible, finish);
  } else {
    const Floats all = Not(Zero());
    ForLanes(visible, [&](int64_t key, auto lanes) { finish(key, all, lanes); });
  }
}

// c [keys, width] += scores' x for a block of queries.
inline void AddTransposed(const float* scores, int64_t stride, int64_t num_keys, const float* x,
                          int64_t x_stride, int64_t rows, int64_t width, float* c,
                          int64_t c_stride) {
  MultiplySmall<true>({.a = scores,
                       .row_stride = 1,
                       .depth_stride = stride,
                       .b = x,
                       .b_stride = x_stride,
                       .rows = num_keys,
                       .columns = width,
                       .depth = rows,
                       .c = c,
                       .c_stride = c_stride});
}

inline void AttentionBackwardHead(const AttentionHead& h, const AttentionHeadGradients& g) {
  const int64_t stride = RoundToPanel(h.num_keys);
  const int64_t block = AttentionQueryBlock(h.num_keys);
  float* key_panels = h.scratch;
  float* value_panels = key_panels + stride * h.width + kLanes;
  float* scores = value_panels + stride * h.width + kLanes;
  float* dp = scores + block * stride;
  PackPanels(h.k, h.k_stride, 1, h.num_keys, h.width, kKeyPanel, key_panels);
  PackPanels(h.v, h.v_stride, 1, h.num_keys, h.width, kKeyPanel, value_panels);
  for (int64_t j = 0; j < h.num_keys; ++j) {
    ForLanes(h.width, [&](int64_t i, auto lanes) {
      lanes.Store(g.dk + j * g.dk_stride + i, Zero());
      lanes.Store(g.dv + j * g.dv_stride + i, Zero());
    });
  }
  for (int64_t begin = 0; begin < h.num_queries; begin += block) {
    const int64_t rows = h.num_queries - begin < block ? h.num_queries - begin : block;
    const int64_t seen = VisibleKeys(h, begin + rows - 1);
    const float* q = h.q + begin * h.q_stride;
    const float* dy = g.dy + begin * g.dy_stride;
    ScoreBlock(q, h.q_stride, rows, h, key_panels, seen, h.scale, scores, stride);
    ScoreBlock(dy, g.dy_stride, rows, h, value_panels, seen, 1.0F, dp, stride);
    for (int64_t i = 0; i < rows; ++i) {
      ScoreGradientRow(h, g, begin + i, RoundToPanel(seen), scores + i * stride, dp + i * stride);
    }
    MultiplySmall<false>({.a = dp,
                          .row_stride = stride,
                          .depth_stride = 1,
                          .b = h.k,
                          .b_stride = h.k_stride,
                          .rows = rows,
                          .columns = h.width,
                          .depth = seen,
                          .c = g.dq + begin * g.dq_stride,
                          .c_stride = g.dq_stride});
    AddTransposed(scores, stride, seen, dy, g.dy_stride, rows, h.width, g.dv, g.dv_stride);
    AddTransposed(dp, stride, seen, q, h.q_stride, rows, h.width, g.dk, g.dk_stride);
  }
}

inline float DotRun(const float* x, const float* y, int64_t n) {
  return Sum(DotLanes(x, y, n));
}

// Softmax of one row in place.
inline void SoftmaxRun(float* x, int64_t n) {
  const float sum = ExpAndSum(x, n, Largest(MaxOfRun(x, n)));
  ForLanes(n,
           [&](int64_t i, auto lanes) { lanes.Store(x + i, lanes.Load(x + i) * Set(1.0F / sum)); });
}

inline void ScaledRun(const float* x, float scale, int64_t n, float* y, bool accumulate) {
  ForLanes(n, [&](int64_t i, auto lanes) {
    Floats v = lanes.Load(x + i) * Set(scale);
    if (accumulate) v = Fma(lanes.Load(x + i), Set(scale), lanes.Load(y + i));
    lanes.Store(y + i, v);
  });
}

}  // namespace heed::HEED_ISA
