// Attention of one head of one sentence (Vaswani et al. 2017, section 3.2.1).
//
// A block of queries meets a block of keys at a time, so scores need kQueryBlock * kKeyBlock floats
// whatever the length; the softmax of a row that spans several blocks is rescaled as it grows
// (Milakov and Gimelshein 2018), and backward recomputes probabilities from the saved log-sums
// (Dao et al. 2022, algorithm 4). A row's bits do not depend on the rows around it.
#pragma once

#include <cmath>

#include "backend/cpu/kernels/gemm.h"
#include "backend/cpu/kernels/math.h"
#include "backend/cpu/kernels/philox_lanes.h"
#include "backend/cpu/kernels/small_product.h"
#include "backend/cpu/kernels/softmax.h"

namespace heed::HEED_ISA {

inline constexpr int64_t kQueryBlock = kAttentionQueryBlock;
inline constexpr int64_t kKeyBlock = kAttentionKeyBlock;
inline constexpr int64_t kKeyPanel = 16;

inline int64_t RoundToPanel(int64_t n) {
  return (n + kKeyPanel - 1) / kKeyPanel * kKeyPanel;
}
inline int64_t Smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

// How many of the keys from `first_key` on query `i` sees, at most a block.
inline int64_t VisibleKeys(const AttentionHead& h, int64_t i, int64_t first_key) {
  const int64_t seen = h.causal ? i + 1 + h.num_keys - h.num_queries : h.num_keys;
  const int64_t visible = Smaller(seen - first_key, kKeyBlock);
  return visible < 0 ? 0 : visible;
}

// Panels of 16 rows of x [keys, width], transposed to [width][16], the last filled with zeros.
inline void PackKeys(const float* x, int64_t stride, int64_t keys, int64_t width, float* panels) {
  for (int64_t key = 0; key < keys; key += kKeyPanel, panels += kKeyPanel * width) {
    TransposePanel(x + key * stride, stride, Smaller(keys - key, kKeyPanel), width, kKeyPanel,
                   panels);
  }
}

// Rows of one head lie a whole model width apart, often a power of two, and so compete for the same
// few sets of the cache; copied, they lie side by side.
inline void CopyRows(const float* x, int64_t stride, int64_t rows, int64_t width, float* out) {
  for (int64_t row = 0; row < rows; ++row, x += stride, out += width) {
    ForLanes(width, [&](int64_t i, auto lanes) { lanes.Store(out + i, lanes.Load(x + i)); });
  }
}

// From a row of scores to the next: just what the keys need, and no power of two.
inline int64_t ScoreStride(const AttentionHead& h) {
  return RoundToPanel(Smaller(h.num_keys, kKeyBlock)) + kLanes;
}

// scores [rows, keys] = factor * x keys', x [rows, width] without gaps.
inline void ScoreBlock(const AttentionHead& h, const float* x, int64_t rows, const float* panels,
                       int64_t keys, float factor, float* scores) {
  for (int64_t j = 0; j < keys; j += kKeyPanel) {
    MultiplySmall<false>({.a = x,
                          .row_stride = h.width,
                          .depth_stride = 1,
                          .b = panels + j * h.width,
                          .b_stride = kKeyPanel,
                          .rows = rows,
                          .columns = kKeyPanel,
                          .depth = h.width,
                          .c = scores + j,
                          .c_stride = ScoreStride(h),
                          .factor = factor});
  }
}

// Calls body(key, mask of what is kept) for whole vectors over the keys of one row, of which the
// first one is `first_key` of its sentence, a multiple of 4.
template <class Body>
inline void ForKeptKeys(const AttentionHead& h, int64_t row, int64_t first_key, int64_t keys,
                        Body&& body) {
  static_assert(kKeyBlock <= kRandomChunk);
  alignas(64) uint32_t buffer[kRandomBuffer];
  const uint64_t number = h.first_row + static_cast<uint64_t>(row) * h.row_increment;
  const uint32_t* bits = RandomWords(
      h.dropout.stream, (number << 20) + static_cast<uint64_t>(first_key), keys, buffer);
  for (int64_t key = 0; key < keys; key += kLanes) {
    body(key, KeepMask(bits + key, h.dropout.threshold));
  }
}

// The rows of a block of queries while it meets one block of keys after the other.
struct RunningSoftmax {
  float largest[kQueryBlock];
  float sum[kQueryBlock];
};

// Turns the scores of one row into unnormalised probabilities, zero up to `padded`, and brings what
// row `y` has gathered from earlier blocks to the same scale.
inline void SoftmaxRow(const AttentionHead& h, int64_t row, int64_t first_key, int64_t padded,
                       float* scores, float* y, float* largest, float* sum) {
  const int64_t visible = VisibleKeys(h, row, first_key);
  if (first_key == 0) {
    *largest = -INFINITY;
    *sum = 0;
  }
  FillRange(scores, visible, padded, -INFINITY);
  if (visible == 0) {
    FillRange(scores, 0, padded, 0.0F);
    return;
  }
  const float before = *largest;
  const float now = LargerOf(before, Largest(MaxOfVectors(scores, visible)));
  const float shrink = first_key == 0 ? 0.0F : ExpOf(before - now);
  *largest = now;
  *sum = *sum * shrink + ExpAndSumVectors(scores, padded, now);
  if (first_key != 0 && shrink != 1.0F) ScaledRun(y, shrink, h.width, y, false);
  if (h.dropout.threshold == 0) return;
  ForKeptKeys(h, row, first_key, visible, [&](int64_t key, Floats kept) {
    Store(scores + key, And(kept, Load(scores + key) * Set(h.dropout.scale)));
  });
}

// Parts of the scratch memory, see AttentionScratch in cpu_attention.cc.
struct ForwardScratch {
  float *scores, *queries, *key_panels, *values;
};

// One block of queries, rows [begin, begin + rows), over all keys.
inline void AttentionForwardBlock(const AttentionHead& h, const ForwardScratch& s, int64_t begin,
                                  int64_t rows, float* y, int64_t y_stride,
                                  RunningSoftmax& softmax) {
  CopyRows(h.q + begin * h.q_stride, h.q_stride, rows, h.width, s.queries);
  const int64_t stride = ScoreStride(h);
  for (int64_t first = 0; first == 0 || first < h.num_keys; first += kKeyBlock) {
    const int64_t seen = VisibleKeys(h, begin + rows - 1, first);
    if (first > 0 && seen == 0) return;
    ScoreBlock(h, s.queries, rows, s.key_panels + first * h.width, seen, h.scale, s.scores);
    for (int64_t i = 0; i < rows; ++i) {
      SoftmaxRow(h, begin + i, first, RoundToPanel(seen), s.scores + i * stride, y + i * y_stride,
                 softmax.largest + i, softmax.sum + i);
    }
    const SmallProduct product{.a = s.scores,
                               .row_stride = stride,
                               .depth_stride = 1,
                               .b = s.values + first * h.width,
                               .b_stride = h.width,
                               .rows = rows,
                               .columns = h.width,
                               .depth = seen,
                               .c = y,
                               .c_stride = y_stride};
    first == 0 ? MultiplySmall<false>(product) : MultiplySmall<true>(product);
  }
}

inline void AttentionForwardHead(const AttentionHead& h, float* y, int64_t y_stride,
                                 float* log_sums, int64_t log_sums_stride) {
  const ForwardScratch s{
      .scores = h.scratch,
      .queries = h.scratch + kAttentionScores,
      .key_panels = h.scratch + kAttentionScores + kQueryBlock * h.width,
      .values = h.scratch + kAttentionScores + (kQueryBlock + RoundToPanel(h.num_keys)) * h.width};
  PackKeys(h.k, h.k_stride, h.num_keys, h.width, s.key_panels);
  CopyRows(h.v, h.v_stride, h.num_keys, h.width, s.values);
  RunningSoftmax softmax;
  for (int64_t begin = 0; begin < h.num_queries; begin += kQueryBlock) {
    const int64_t rows = Smaller(h.num_queries - begin, kQueryBlock);
    AttentionForwardBlock(h, s, begin, rows, y + begin * y_stride, y_stride, softmax);
    for (int64_t i = 0; i < rows; ++i) {
      const float sum = softmax.sum[i];
      float* out = y + (begin + i) * y_stride;
      ScaledRun(out, sum == 0 ? 0.0F : 1.0F / sum, h.width, out, false);
      if (log_sums != nullptr) {
        log_sums[(begin + i) * log_sums_stride] = softmax.largest[i] + std::log(sum);
      }
    }
  }
}

// One row of backward: scores become the dropped-out probabilities, dp the score gradients.
inline void ScoreGradientRow(const AttentionHead& h, const AttentionHeadGradients& g, int64_t row,
                             int64_t first_key, int64_t padded, float* scores, float* dp) {
  const int64_t visible = VisibleKeys(h, row, first_key);
  const Floats shift = Set(g.log_sums[row * g.log_sums_stride]);
  const Floats delta =
      Set(Sum(DotLanes(g.dy + row * g.dy_stride, g.y + row * g.y_stride, h.width)));
  const Floats scale = Set(h.scale), keep_scale = Set(h.dropout.scale);
  FillRange(scores, visible, padded, -INFINITY);
  const auto finish = [&](int64_t key, Floats kept) {
    const Floats p = Exp(Load(scores + key) - shift);
    const Floats dprobability = And(kept, Load(dp + key) * keep_scale);
    Store(dp + key, p * (dprobability - delta) * scale);
    Store(scores + key, And(kept, p * keep_scale));
  };
  if (h.dropout.threshold != 0) {
    ForKeptKeys(h, row, first_key, visible, finish);
  } else {
    for (int64_t key = 0; key < visible; key += kLanes) finish(key, Not(Zero()));
  }
  FillRange(scores, visible, padded, 0.0F);
  FillRange(dp, visible, padded, 0.0F);
}

// c [keys, width] = scores' x for the first block of queries, += for the others.
inline void MultiplyTransposed(const float* scores, int64_t score_stride, int64_t keys,
                               const float* x, int64_t rows, int64_t width, bool add, float* c,
                               int64_t c_stride) {
  const SmallProduct product{.a = scores,
                             .row_stride = 1,
                             .depth_stride = score_stride,
                             .b = x,
                             .b_stride = width,
                             .rows = keys,
                             .columns = width,
                             .depth = rows,
                             .c = c,
                             .c_stride = c_stride};
  add ? MultiplySmall<true>(product) : MultiplySmall<false>(product);
}

struct BackwardScratch {
  float *key_panels, *value_panels, *keys, *queries, *dy, *scores, *dp;
};

// Keys of the block from `first` on that some query of a block sees.
inline int64_t SeenByBlock(const AttentionHead& h, int64_t begin, int64_t first) {
  const int64_t end = Smaller(h.num_queries, begin + kQueryBlock);
  return end == 0 ? 0 : VisibleKeys(h, end - 1, first);
}

// Queries [begin, begin + rows) and the block of keys from `first` on.
inline void AttentionBackwardBlock(const AttentionHead& h, const AttentionHeadGradients& g,
                                   const BackwardScratch& s, int64_t begin, int64_t first) {
  const int64_t rows = Smaller(h.num_queries - begin, kQueryBlock);
  const int64_t seen = SeenByBlock(h, begin, first), stride = ScoreStride(h);
  if (seen == 0 && first > 0) return;
  CopyRows(h.q + begin * h.q_stride, h.q_stride, rows, h.width, s.queries);
  CopyRows(g.dy + begin * g.dy_stride, g.dy_stride, rows, h.width, s.dy);
  ScoreBlock(h, s.queries, rows, s.key_panels, seen, h.scale, s.scores);
  ScoreBlock(h, s.dy, rows, s.value_panels, seen, 1.0F, s.dp);
  for (int64_t i = 0; i < rows; ++i) {
    ScoreGradientRow(h, g, begin + i, first, RoundToPanel(seen), s.scores + i * stride,
                     s.dp + i * stride);
  }
  const SmallProduct product{.a = s.dp,
                             .row_stride = stride,
                             .depth_stride = 1,
                             .b = s.keys,
                             .b_stride = h.width,
                             .rows = rows,
                             .columns = h.width,
                             .depth = seen,
                             .c = g.dq + begin * g.dq_stride,
                             .c_stride = g.dq_stride};
  first == 0 ? MultiplySmall<false>(product) : MultiplySmall<true>(product);
  MultiplyTransposed(s.scores, stride, seen, s.dy, rows, h.width, begin > 0,
                     g.dv + first * g.dv_stride, g.dv_stride);
  MultiplyTransposed(s.dp, stride, seen, s.queries, rows, h.width, begin > 0,
                     g.dk + first * g.dk_stride, g.dk_stride);
}

inline void AttentionBackwardHead(const AttentionHead& h, const AttentionHeadGradients& g) {
  const int64_t panel = kKeyBlock * h.width, rows = kQueryBlock * h.width;
  const BackwardScratch s{.key_panels = h.scratch,
                          .value_panels = h.scratch + panel,
                          .keys = h.scratch + 2 * panel,
                          .queries = h.scratch + 3 * panel,
                          .dy = h.scratch + 3 * panel + rows,
                          .scores = h.scratch + 3 * panel + 2 * rows,
                          .dp = h.scratch + 3 * panel + 2 * rows + kAttentionScores};
  for (int64_t first = 0; first == 0 || first < h.num_keys; first += kKeyBlock) {
    const int64_t keys = Smaller(h.num_keys - first, kKeyBlock);
    PackKeys(h.k + first * h.k_stride, h.k_stride, keys, h.width, s.key_panels);
    PackKeys(h.v + first * h.v_stride, h.v_stride, keys, h.width, s.value_panels);
    CopyRows(h.k + first * h.k_stride, h.k_stride, keys, h.width, s.keys);
    // What the first block of queries does not assign.
    for (int64_t key = first + SeenByBlock(h, 0, first); key < first + keys; ++key) {
      FillRun(g.dk + key * g.dk_stride, h.width, 0.0F);
      FillRun(g.dv + key * g.dv_stride, h.width, 0.0F);
    }
    for (int64_t begin = 0; begin < h.num_queries; begin += kQueryBlock) {
      AttentionBackwardBlock(h, g, s, begin, first);
    }
  }
}

}  // namespace heed::HEED_ISA
