// Matrix products from packed panels and small ones in place.
//
// Every element of an output is one chain of multiply-adds over the depth, whatever the tile, so
// the bits do not depend on how a product is cut into tiles.
#pragma once

#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/lanes.h"

namespace heed::HEED_ISA {

// acc[i][j] += sum over d of a[i * row_stride + d * depth_stride] * b[d * b_stride + 8 j ..].
template <int kRows, int kVectors, class Lanes>
[[gnu::always_inline]] inline void MultiplyTile(int64_t depth, const float* a, int64_t row_stride,
                                                int64_t depth_stride, const float* b,
                                                int64_t b_stride, Lanes lanes,
                                                Floats (&acc)[kRows][kVectors]) {
  for (int64_t d = 0; d < depth; ++d) {
    Floats columns[kVectors];
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) columns[j] = lanes.Load(b + j * kLanes);
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      const Floats row = Set(a[i * row_stride]);
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) acc[i][j] = Fma(row, columns[j], acc[i][j]);
    }
    a += depth_stride;
    b += b_stride;
  }
}

// The bias and ReLU of a finished vector.
[[gnu::always_inline]] inline Floats Finish(Floats v, const float* bias, bool relu, auto lanes) {
  if (bias != nullptr) v = v + lanes.Load(bias);
  return relu ? Max(Zero(), v) : v;
}

template <class Lanes>
inline void StoreTileRow(const GemmBlock& block, float* c, const float* bias, Floats v,
                         Lanes lanes) {
  if (block.add_to_c) v = lanes.Load(c) + v;
  lanes.Store(c, Finish(v, bias, block.relu, lanes));
}

// One tile of up to kGemmRows x kGemmVectors * 8, at row i and column j of the block.
inline void GemmTile(const GemmBlock& block, const float* a, const float* b, int64_t i, int64_t j) {
  Floats acc[kGemmRows][kGemmVectors] = {};
  MultiplyTile<kGemmRows, kGemmVectors>(block.depth, a, 1, kGemmRows, b, kGemmVectors * kLanes,
                                        AllLanes{}, acc);
  const int64_t rows = block.rows - i < kGemmRows ? block.rows - i : kGemmRows;
  const int64_t columns = block.columns - j;
#pragma GCC unroll 8
  for (int row = 0; row < kGemmRows; ++row) {
    if (row >= rows) break;
#pragma GCC unroll 4
    for (int vector = 0; vector < kGemmVectors; ++vector) {
      float* c = block.c + (i + row) * block.c_stride + j + vector * kLanes;
      const float* bias = block.bias == nullptr ? nullptr : block.bias + j + vector * kLanes;
      const int64_t left = columns - vector * kLanes;
      if (left >= kLanes) {
        StoreTileRow(block, c, bias, acc[row][vector], AllLanes{});
      } else if (left > 0) {
        StoreTileRow(block, c, bias, acc[row][vector], SomeLanes{left});
      }
    }
  }
}

inline void GemmBlockKernel(const GemmBlock& block) {
  const float* b = block.b;
  for (int64_t j = 0; j < block.columns; j += kGemmVectors * kLanes, b += block.b_panel_stride) {
    const float* a = block.a;
    for (int64_t i = 0; i < block.rows; i += kGemmRows, a += block.depth * kGemmRows) {
      GemmTile(block, a, b, i, j);
    }
  }
}

// Packs x (element (r, d) at x[r * row_stride + d * depth_stride]) into panels of `panel` rows,
// [depth][panel] each, the last one filled up with zeros. May write 8 floats past the end.
inline void PackPanels(const float* x, int64_t row_stride, int64_t depth_stride, int64_t rows,
                       int64_t depth, int64_t panel, float* out) {
  for (int64_t r = 0; r < rows; r += panel, out += panel * depth) {
    const int64_t used = rows - r < panel ? rows - r : panel;
    const float* source = x + r * row_stride;
    int64_t d = 0;
    if (depth_stride == 1) {
      for (; d + kLanes <= depth; d += kLanes) {
        for (int64_t part = 0; part < panel; part += kLanes) {
          Floats block[8];
          for (int64_t i = 0; i < 8; ++i) {
            const int64_t row = part + i;
            block[i] = row < used ? Load(source + row * row_stride + d) : Zero();
          }
          StoreTransposed(block, out + d * panel + part, panel);
        }
      }
    } else if (row_stride == 1 && used == panel && panel % kLanes == 0) {
      for (; d < depth; ++d) {
        for (int64_t i = 0; i < panel; i += kLanes) {
          Store(out + d * panel + i, Load(source + d * depth_stride + i));
        }
      }
    }
    for (; d < depth; ++d) {
      for (int64_t i = 0; i < panel; ++i) {
        out[d * panel + i] = i < used ? source[i * row_stride + d * depth_stride] : 0;
      }
    }
  }
}

// A small product in place: c [rows, columns] = factor * a b, or += a b when `kAdd`.
//   a  element (i, d) at a[i * row_stride + d * depth_stride]
//   b  [depth, columns], rows b_stride apart
struct SmallProduct {
  const float* a = nullptr;
  int64_t row_stride = 0, depth_stride = 0;
  const float* b = nullptr;
  int64_t b_stride = 0;
  int64_t rows = 0, columns = 0, depth = 0;
  float* c = nullptr;
  int64_t c_stride = 0;
  float factor = 1;
};

template <int kRows, int kVectors, bool kAdd, class Lanes>
inline void SmallTile(const SmallProduct& p, int64_t i, int64_t j, Lanes lanes) {
  Floats acc[kRows][kVectors] = {};
  MultiplyTile<kRows, kVectors>(p.depth, p.a + i * p.row_stride, p.row_stride, p.depth_stride,
                                p.b + j, p.b_stride, lanes, acc);
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      float* c = p.c + (i + row) * p.c_stride + j + vector * kLanes;
      Floats v = acc[row][vector];
      if constexpr (kAdd) {
        v = lanes.Load(c) + v;
      } else {
        v = v * Set(p.factor);
      }
      lanes.Store(c, v);
    }
  }
}

template <int kRows, bool kAdd>
inline void SmallRows(const SmallProduct& p, int64_t i) {
  int64_t j = 0;
  for (; j + kGemmVectors * kLanes <= p.columns; j += kGemmVectors * kLanes) {
    SmallTile<kRows, kGemmVectors, kAdd>(p, i, j, AllLanes{});
  }
  for (; j + kLanes <= p.columns; j += kLanes) SmallTile<kRows, 1, kAdd>(p, i, j, AllLanes{});
  if (j < p.columns) SmallTile<kRows, 1, kAdd>(p, i, j, SomeLanes{p.columns - j});
}

template <bool kAdd>
inline void MultiplySmall(const SmallProduct& p) {
  int64_t i = 0;
  for (; i + kGemmRows <= p.rows; i += kGemmRows) SmallRows<kGemmRows, kAdd>(p, i);
  for (; i + 2 <= p.rows; i += 2) SmallRows<2, kAdd>(p, i);
  if (i < p.rows) SmallRows<1, kAdd>(p, i);
}

}  // namespace heed::HEED_ISA
