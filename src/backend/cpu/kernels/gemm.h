// Matrix products from packed panels and small ones in place.
//
// Every element of an output is one chain of multiply-adds over the depth, whatever the tile, so
// the bits do not depend on how a product is cut into tiles.
#pragma once

#include <cstring>

#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/lanes.h"

namespace heed::HEED_ISA {

inline constexpr int64_t kGemmColumns = kGemmVectors * kLanes;

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

using GemmAccumulators = Floats[kGemmRows][kGemmVectors];

// What happens to a finished tile.
struct TileStore {
  float* c = nullptr;
  int64_t c_stride = 0;
  const float* bias = nullptr;
  bool add_to_c = false, relu = false;
};

template <class Lanes>
[[gnu::always_inline]] inline void StoreFinished(const TileStore& store, int64_t row,
                                                 int64_t column, Floats v, Lanes lanes) {
  float* c = store.c + row * store.c_stride + column;
  if (store.add_to_c) v = lanes.Load(c) + v;
  if (store.bias != nullptr) v = v + lanes.Load(store.bias + column);
  if (store.relu) v = Max(Zero(), v);
  lanes.Store(c, v);
}

// A tile that the edge of the block cuts.
[[gnu::noinline]] inline void StoreCutTile(const TileStore& store, const float* tile, int64_t rows,
                                           int64_t columns) {
  for (int64_t row = 0; row < rows; ++row) {
    ForLanes(columns, [&](int64_t column, auto lanes) {
      StoreFinished(store, row, column, lanes.Load(tile + row * kGemmColumns + column), lanes);
    });
  }
}

// The common cases without a branch per vector.
[[gnu::always_inline]] inline void StoreWholeTile(const TileStore& store,
                                                  const GemmAccumulators& acc) {
  const bool finish = store.bias != nullptr || store.relu;
#pragma GCC unroll 8
  for (int row = 0; row < kGemmRows; ++row) {
    float* c = store.c + row * store.c_stride;
#pragma GCC unroll 4
    for (int vector = 0; vector < kGemmVectors; ++vector) {
      const int64_t column = vector * kLanes;
      if (finish) {
        StoreFinished(store, row, column, acc[row][vector], AllLanes{});
      } else {
        Store(c + column, store.add_to_c ? Load(c + column) + acc[row][vector] : acc[row][vector]);
      }
    }
  }
}

// One tile; rows, columns: how much of it exists. `a` is a packed panel if row_stride is 1.
[[gnu::always_inline]] inline void GemmTile(int64_t depth, const float* a, int64_t row_stride,
                                            int64_t depth_stride, const float* b,
                                            const TileStore& store, int64_t rows, int64_t columns) {
  GemmAccumulators acc = {};
  MultiplyTile<kGemmRows, kGemmVectors>(depth, a, row_stride, depth_stride, b, kGemmColumns,
                                        AllLanes{}, acc);
  if (rows >= kGemmRows && columns >= kGemmColumns) {
    StoreWholeTile(store, acc);
    return;
  }
  alignas(64) float tile[kGemmRows * kGemmColumns];
  for (int row = 0; row < kGemmRows; ++row) {
    for (int vector = 0; vector < kGemmVectors; ++vector) {
      Store(tile + row * kGemmColumns + vector * kLanes, acc[row][vector]);
    }
  }
  StoreCutTile(store, tile, rows < kGemmRows ? rows : kGemmRows,
               columns < kGemmColumns ? columns : kGemmColumns);
}

// Brings in what the tile will need last, its part of c, and lines of the panel of b that comes
// next, from the L3 cache: hardware does not foresee the jump.
inline void PrefetchForTile(const TileStore& store, const float* next_b, int64_t lines) {
#pragma GCC unroll 8
  for (int row = 0; row < kGemmRows; ++row) __builtin_prefetch(store.c + row * store.c_stride, 1);
  for (int64_t line = 0; line < lines; ++line) __builtin_prefetch(next_b + 16 * line, 0, 2);
}

// A panel of b meets all panels of a.
template <bool kInPlace>
inline void GemmBlockTiles(const GemmBlock& g, const float* last_rows) {
  const int64_t tiles = (g.rows + kGemmRows - 1) / kGemmRows;
  const int64_t panel_lines = g.depth * kGemmColumns / 16;
  const int64_t lines = tiles < 6 ? 0 : (panel_lines + tiles - 1) / tiles;
  for (int64_t j = 0; j < g.columns; j += kGemmColumns) {
    const float* b = g.b + j / kGemmColumns * g.b_stride;
    TileStore store{.c = g.c + j,
                    .c_stride = g.c_stride,
                    .bias = g.bias == nullptr ? nullptr : g.bias + j,
                    .add_to_c = g.add_to_c,
                    .relu = g.relu};
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const int64_t rows = g.rows - tile * kGemmRows;
      PrefetchForTile(store, b + g.b_stride + tile * lines * 16, lines);
      if (!kInPlace) {
        GemmTile(g.depth, g.a + tile * g.a_stride, 1, kGemmRows, b, store, rows, g.columns - j);
      } else if (rows >= kGemmRows) {
        GemmTile(g.depth, g.a + tile * kGemmRows * g.a_stride, g.a_stride, 1, b, store, rows,
                 g.columns - j);
      } else {
        GemmTile(g.depth, last_rows, 1, kGemmRows, b, store, rows, g.columns - j);
      }
      store.c += kGemmRows * g.c_stride;
    }
  }
}

// Packs one panel, of which `used` rows exist, by transposing blocks of 8 x 8.
inline void TransposePanel(const float* x, int64_t row_stride, int64_t used, int64_t depth,
                           int64_t panel, float* out) {
  int64_t d = 0;
  for (; d + kLanes <= depth; d += kLanes) {
    for (int64_t part = 0; part < panel; part += kLanes) {
      Floats block[8];
      for (int64_t i = 0; i < 8; ++i) {
        const int64_t row = part + i;
        block[i] = row < used ? Load(x + row * row_stride + d) : Zero();
      }
      StoreTransposed(block, out + d * panel + part, panel);
    }
  }
  for (; d < depth; ++d) {
    for (int64_t i = 0; i < panel; ++i) out[d * panel + i] = i < used ? x[i * row_stride + d] : 0;
  }
}

inline void GemmBlockKernel(const GemmBlock& g) {
  if (!g.a_in_place) return GemmBlockTiles<false>(g, nullptr);
  alignas(64) float last_rows[kGemmRows * kMaxGemmDepth + kLanes];
  const int64_t left = g.rows % kGemmRows;
  if (left != 0) {
    TransposePanel(g.a + (g.rows - left) * g.a_stride, g.a_stride, left, g.depth, kGemmRows,
                   last_rows);
  }
  GemmBlockTiles<true>(g, last_rows);
}

inline constexpr int64_t kCopyAhead = 8;  // rows that CopyPanels fetches ahead of itself

// Copies panels of kPanel rows that lie side by side in memory: whole rows of x are read in turn.
template <int64_t kPanel>
inline void CopyPanels(const PackSource& s, float* out, int64_t panel_stride) {
  for (int64_t d = 0; d < s.depth; ++d) {
    const float* source = s.x + d * s.depth_stride;
    float* target = out + d * kPanel;
    const float* ahead = source + kCopyAhead * s.depth_stride;
    for (int64_t r = 0; r < s.rows; r += 16) __builtin_prefetch(ahead + r);
    for (int64_t r = 0; r + kPanel <= s.rows; r += kPanel, target += panel_stride) {
      std::memcpy(target, source + r, kPanel * sizeof(float));
    }
  }
  const int64_t left = s.rows % kPanel;
  if (left == 0) return;
  const float* source = s.x + s.rows - left;
  out += s.rows / kPanel * panel_stride;
  for (int64_t d = 0; d < s.depth; ++d) {
    for (int64_t i = 0; i < kPanel; ++i) {
      out[d * kPanel + i] = i < left ? source[d * s.depth_stride + i] : 0;
    }
  }
}

// Packs rows into panels of `panel` rows (kGemmRows or kGemmColumns), [depth][panel] each, the last
// one filled up with zeros. May write 8 floats past the end of a panel.
inline void PackPanels(const PackSource& s, int64_t panel, float* out, int64_t panel_stride) {
  if (s.depth_stride != 1) {
    return panel == kGemmRows ? CopyPanels<kGemmRows>(s, out, panel_stride)
                              : CopyPanels<kGemmColumns>(s, out, panel_stride);
  }
  for (int64_t r = 0; r < s.rows; r += panel, out += panel_stride) {
    TransposePanel(s.x + r * s.row_stride, s.row_stride, s.rows - r < panel ? s.rows - r : panel,
                   s.depth, panel, out);
  }
}

}  // namespace heed::HEED_ISA
