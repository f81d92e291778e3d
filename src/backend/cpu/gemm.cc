#include "backend/cpu/gemm.h"

#include <algorithm>

namespace heed {
namespace {

constexpr int64_t kDepthBlock = 256;        // 16 columns of it fill half of a 32 KiB L1 cache
constexpr int64_t kRowTile = 96;            // rows of a that one task packs: 96 KiB, in L2
constexpr int64_t kFewRows = 96;            // up to here every thread packs its own columns of b
constexpr int64_t kFewRowsColumns = 64;     // columns of such a task
constexpr int64_t kPackedFloats = 4 << 20;  // of b at once: 16 MiB, about the L3 cache
constexpr int64_t kTasksPerThread = 8;      // so that threads end together

int64_t CeilDivide(int64_t n, int64_t d) {
  return (n + d - 1) / d;
}
int64_t RoundUp(int64_t n, int64_t unit) {
  return CeilDivide(n, unit) * unit;
}

// Blocks of the depth: nearly equal, at most kDepthBlock, by k alone.
struct DepthBlocks {
  explicit DepthBlocks(int64_t k)
      : total(k), length(RoundUp(CeilDivide(k, CeilDivide(k, kDepthBlock)), 8)) {}
  int64_t count() const { return CeilDivide(total, length); }
  int64_t begin(int64_t block) const { return block * length; }
  int64_t size(int64_t block) const { return std::min(length, total - begin(block)); }
  int64_t total, length;
};

const float* At(const GemmOperand& x, int64_t row, int64_t depth) {
  return x.data + row * x.row_stride + depth * x.depth_stride;
}

}  // namespace

// Rows [row, row + rows) and columns [column, column + columns) of c.
struct GemmTileRange {
  int64_t row = 0, rows = 0, column = 0, columns = 0;
  int64_t packed_column = 0;  // of `column` within the packed b
};

Gemm::Gemm(const KernelTable& kernels, ThreadPool& pool)
    : kernels_(kernels), pool_(pool), per_thread_(static_cast<size_t>(pool.num_threads())) {}

void Gemm::operator()(const GemmArguments& g) {
  if (g.m == 0 || g.n == 0) return;
  HEED_CHECK(g.k > 0, "a product of depth {}", g.k);
  if (g.m <= kFewRows) {
    MultiplyFewRows(g);
    return;
  }
  const int64_t most = std::max(kPackedFloats / g.k / 128, int64_t{1}) * 128;
  const int64_t chunk = RoundUp(CeilDivide(g.n, CeilDivide(g.n, most)), kernels_.gemm_columns);
  for (int64_t column = 0; column < g.n; column += chunk) {
    MultiplyColumns(g, column, std::min(chunk, g.n - column));
  }
}

void Gemm::MultiplyColumns(const GemmArguments& g, int64_t column, int64_t columns) {
  const int64_t unit = kernels_.gemm_columns;
  const int64_t padded = RoundUp(columns, unit);
  float* packed = shared_.Floats(padded * g.k + 16);
  const DepthBlocks depths(g.k);
  const int64_t pack_columns = 8 * unit;
  const int64_t pack_tasks = CeilDivide(columns, pack_columns);
  pool_.Run(pack_tasks * depths.count(), [&](int64_t task, int) {
    const int64_t block = task / pack_tasks, first = task % pack_tasks * pack_columns;
    const int64_t depth = depths.size(block);
    kernels_.pack_panels(At(g.b, column + first, depths.begin(block)), g.b.row_stride,
                         g.b.depth_stride, std::min(pack_columns, columns - first), depth, unit,
                         packed + depths.begin(block) * padded + first * depth);
  });
  const int64_t row_tiles = CeilDivide(g.m, kRowTile);
  const int64_t row_tile = RoundUp(CeilDivide(g.m, row_tiles), kernels_.gemm_rows);
  const int64_t wanted = kTasksPerThread * pool_.num_threads();
  const int64_t column_tiles =
      std::clamp(CeilDivide(wanted, row_tiles), int64_t{1}, CeilDivide(columns, int64_t{128}));
  const int64_t column_tile = RoundUp(CeilDivide(columns, column_tiles), unit);
  const int64_t used_row_tiles = CeilDivide(g.m, row_tile);
  pool_.Run(used_row_tiles * CeilDivide(columns, column_tile), [&](int64_t task, int thread) {
    const int64_t row = task % used_row_tiles * row_tile;
    const int64_t first = task / used_row_tiles * column_tile;
    float* packed_a =
        per_thread_[static_cast<size_t>(thread)].Floats(row_tile * depths.length + 16);
    MultiplyTile(g,
                 {.row = row,
                  .rows = std::min(row_tile, g.m - row),
                  .column = column + first,
                  .columns = std::min(column_tile, columns - first),
                  .packed_column = first},
                 packed, padded, packed_a);
  });
}

void Gemm::MultiplyTile(const GemmArguments& g, const GemmTileRange& tile, const float* packed_b,
                        int64_t packed_columns, float* packed_a) const {
  const DepthBlocks depths(g.k);
  for (int64_t block = 0; block < depths.count(); ++block) {
    const int64_t depth = depths.size(block), begin = depths.begin(block);
    const bool last = block + 1 == depths.count();
    kernels_.pack_panels(At(g.a, tile.row, begin), g.a.row_stride, g.a.depth_stride, tile.rows,
                         depth, kernels_.gemm_rows, packed_a);
    kernels_.gemm_block({.a = packed_a,
                         .b = packed_b + begin * packed_columns + tile.packed_column * depth,
                         .b_panel_stride = kernels_.gemm_columns * depth,
                         .rows = tile.rows,
                         .columns = tile.columns,
                         .depth = depth,
                         .c = g.c + tile.row * g.c_stride + tile.column,
                         .c_stride = g.c_stride,
                         .add_to_c = g.accumulate || block > 0,
                         .bias = last && g.bias != nullptr ? g.bias + tile.column : nullptr,
                         .relu = last && g.relu});
  }
}

// Few rows: b is read once, packed into a thread's own cache and used there.
void Gemm::MultiplyFewRows(const GemmArguments& g) {
  const DepthBlocks depths(g.k);
  const int64_t padded_rows = RoundUp(g.m, kernels_.gemm_rows);
  float* packed_a = shared_.Floats(padded_rows * g.k + 16);
  for (int64_t block = 0; block < depths.count(); ++block) {
    kernels_.pack_panels(At(g.a, 0, depths.begin(block)), g.a.row_stride, g.a.depth_stride, g.m,
                         depths.size(block), kernels_.gemm_rows,
                         packed_a + depths.begin(block) * padded_rows);
  }
  pool_.Run(CeilDivide(g.n, kFewRowsColumns), [&](int64_t task, int thread) {
    const int64_t column = task * kFewRowsColumns;
    const int64_t columns = std::min(kFewRowsColumns, g.n - column);
    float* packed_b =
        per_thread_[static_cast<size_t>(thread)].Floats(kFewRowsColumns * depths.length + 16);
    for (int64_t block = 0; block < depths.count(); ++block) {
      const int64_t depth = depths.size(block), begin = depths.begin(block);
      const bool last = block + 1 == depths.count();
      kernels_.pack_panels(At(g.b, column, begin), g.b.row_stride, g.b.depth_stride, columns, depth,
                           kernels_.gemm_columns, packed_b);
      kernels_.gemm_block({.a = packed_a + begin * padded_rows,
                           .b = packed_b,
                           .b_panel_stride = kernels_.gemm_columns * depth,
                           .rows = g.m,
                           .columns = columns,
                           .depth = depth,
                           .c = g.c + column,
                           .c_stride = g.c_stride,
                           .add_to_c = g.accumulate || block > 0,
                           .bias = last && g.bias != nullptr ? g.bias + column : nullptr,
                           .relu = last && g.relu});
    }
  });
}

}  // namespace heed
