// Products of few rows, as in decoding: the large operand is read once where it lies.
//
// A tile is 8 rows of b by 8 rows of a. Each element is the same chain of multiply-adds as in
// gemm.h, so a row has the same bits whether it comes alone or in a large batch.
#pragma once

#include "backend/cpu/kernels/gemm.h"

namespace heed::HEED_ISA {

// Lane r of v[j] belongs to row r and column j. Adds the partial sums of one block of the depth.
[[gnu::always_inline]] inline void AddDepthBlock(int64_t depth, const float* a, const float* b,
                                                 int64_t b_stride, Floats (&v)[8]) {
  for (int64_t d = 0; d < depth; ++d) {
    const Floats rows = Load(a + d * kLanes);
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) v[j] = Fma(rows, Set(b[j * b_stride + d]), v[j]);
  }
}

// Turns a tile round: out[row * 8 + column] = lane `row` of v[column].
inline void StoreByRows(const Floats (&v)[8], float* out) {
  StoreTransposed(v, out, 8);
}

struct FewRowsTile {
  int64_t row = 0, rows = 0, column = 0, columns = 0;
};

inline void StoreFewRowsTile(const FewRowsProduct& p, const FewRowsTile& t, const float* sums,
                             bool first, bool last) {
  TileStore store{.c = p.c + t.row * p.c_stride + t.column,
                  .c_stride = p.c_stride,
                  .bias = last && p.bias != nullptr ? p.bias + t.column : nullptr,
                  .add_to_c = p.add_to_c || !first,
                  .relu = last && p.relu};
  for (int64_t row = 0; row < t.rows; ++row) {
    if (t.columns == kLanes) {
      StoreFinished(store, row, 0, Load(sums + row * kLanes), AllLanes{});
    } else {
      StoreFinished(store, row, 0, Load(sums + row * kLanes), SomeLanes{t.columns});
    }
  }
}

inline void MultiplyFewRowsTile(const FewRowsProduct& p, const FewRowsTile& t) {
  const float* a = p.a + t.row / kLanes * p.a_stride;
  const float* b = p.b + t.column * p.b_stride;
  for (int64_t begin = 0; begin < p.depth; begin += p.depth_block) {
    const int64_t left = p.depth - begin;
    const int64_t depth = left < p.depth_block ? left : p.depth_block;
    Floats v[8] = {};
    if (t.columns == kLanes) {
      AddDepthBlock(depth, a + begin * kLanes, b + begin, p.b_stride, v);
    } else {  // the last columns: rows that do not exist are not read
      for (int64_t j = 0; j < t.columns; ++j) {
        for (int64_t d = begin; d < begin + depth; ++d) {
          v[j] = Fma(Load(a + d * kLanes), Set(b[j * p.b_stride + d]), v[j]);
        }
      }
    }
    alignas(64) float sums[64];
    StoreByRows(v, sums);
    StoreFewRowsTile(p, t, sums, begin == 0, left <= p.depth_block);
  }
}

inline void FewRowsKernel(const FewRowsProduct& p) {
  for (int64_t column = 0; column < p.columns; column += kLanes) {
    for (int64_t row = 0; row < p.rows; row += kLanes) {
      MultiplyFewRowsTile(p,
                          {.row = row,
                           .rows = p.rows - row < kLanes ? p.rows - row : kLanes,
                           .column = column,
                           .columns = p.columns - column < kLanes ? p.columns - column : kLanes});
    }
  }
}

}  // namespace heed::HEED_ISA
