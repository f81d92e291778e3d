// Small matrix products in place, nothing packed, no threads: the products of attention.
#pragma once

#include "backend/cpu/kernels/gemm.h"

namespace heed::HEED_ISA {

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
  switch (p.rows - i) {
    case 5:
      return SmallRows<5, kAdd>(p, i);
    case 4:
      return SmallRows<4, kAdd>(p, i);
    case 3:
      return SmallRows<3, kAdd>(p, i);
    case 2:
      return SmallRows<2, kAdd>(p, i);
    case 1:
      return SmallRows<1, kAdd>(p, i);
    default:
      return;
  }
}

}  // namespace heed::HEED_ISA
