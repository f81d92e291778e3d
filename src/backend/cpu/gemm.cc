#include "backend/cpu/gemm.h"

#include <algorithm>

namespace heed {
namespace {

constexpr int64_t kRowTile = 264;           // rows of a that one task packs
constexpr int64_t kFewRows = 32;            // up to here b is read in place
constexpr int64_t kFewRowsWork = 1 << 18;   // multiply-adds of such a task, at least
constexpr int64_t kInPlaceColumns = 256;    // packing a does not pay for fewer columns
constexpr int64_t kPackedFloats = 4 << 20;  // of b at once: 16 MiB, about the L3 cache
constexpr int64_t kTasksPerThread = 4;      // if the output is large enough
constexpr int64_t kSmallProduct = 1 << 20;  // multiply-adds that are not worth waking a thread
constexpr int64_t kSlack = 16;              // floats that packing may write past its end

int64_t CeilDivide(int64_t n, int64_t d) {
  return (n + d - 1) / d;
}
int64_t RoundUp(int64_t n, int64_t unit) {
  return CeilDivide(n, unit) * unit;
}

// Blocks of the depth: nearly equal, by k alone.
int64_t DepthBlock(int64_t k) {
  return RoundUp(CeilDivide(k, CeilDivide(k, kMaxGemmDepth)), 8);
}

PackSource Part(const GemmOperand& x, int64_t row, int64_t rows, int64_t begin, int64_t depth) {
  return {.x = x.data + row * x.row_stride + begin * x.depth_stride,
          .row_stride = x.row_stride,
          .depth_stride = x.depth_stride,
          .rows = rows,
          .depth = depth};
}

}  // namespace

// Cuts n into `parts` of whole units, as equal as they can be.
struct Gemm::Cut {
  int64_t n = 0, unit = 1, parts = 1;
  int64_t begin(int64_t part) const {
    return std::min(n, CeilDivide(n, unit) * part / parts * unit);
  }
  int64_t size(int64_t part) const { return begin(part + 1) - begin(part); }
};

// Rows [row, row + rows) and columns [column, column + columns) of c.
struct Gemm::Tile {
  int64_t row = 0, rows = 0, column = 0, columns = 0;
};

Gemm::Gemm(const KernelTable& kernels, ThreadPool& pool)
    : kernels_(kernels), pool_(pool), per_thread_(static_cast<size_t>(pool.num_threads())) {}

void Gemm::operator()(const GemmArguments& g) {
  if (g.m == 0 || g.n == 0) return;
  HEED_CHECK(g.k > 0, "a product of depth {}", g.k);
  if (g.m <= kFewRows && g.a.depth_stride == 1 && g.b.depth_stride == 1) {
    MultiplyFewRows(g);
    return;
  }
  const int64_t most = std::max(kPackedFloats / g.k / 128, int64_t{1}) * 128;
  const Cut chunks{g.n, kernels_.gemm_columns, CeilDivide(g.n, most)};
  for (int64_t chunk = 0; chunk < chunks.parts; ++chunk) {
    MultiplyColumns(g, chunks.begin(chunk), chunks.size(chunk));
  }
}

// A spare line keeps panels of 2^n bytes from falling on the same cache sets.
int64_t Gemm::PanelStrideOfA(int64_t depth) const {
  return kernels_.gemm_rows * depth + 16;
}
int64_t Gemm::PanelStrideOfB(int64_t depth) const {
  return kernels_.gemm_columns * depth + 16;
}

// Enough tiles for all threads to end together. Splitting the rows is cheaper than splitting the
// columns: a is packed once.
std::pair<Gemm::Cut, Gemm::Cut> Gemm::CutOutput(const GemmArguments& g, int64_t columns) const {
  constexpr int64_t kFewestRows = 48, kFewestColumns = 128;
  const bool is_small = g.m * columns * g.k < kSmallProduct;
  const int64_t threads = is_small ? 1 : pool_.num_threads();
  const int64_t wanted = threads == 1 ? 1 : kTasksPerThread * threads;
  const int64_t least = std::max(RoundUp(CeilDivide(g.m, kRowTile), threads), wanted);
  const int64_t most = std::max(g.m / kFewestRows, CeilDivide(g.m, kRowTile));
  const Cut row_tiles{g.m, kernels_.gemm_rows, std::max(std::min(least, most), int64_t{1})};
  const int64_t column_tiles = std::min(wanted / row_tiles.parts, columns / kFewestColumns);
  return {row_tiles, {columns, kernels_.gemm_columns, std::max(column_tiles, int64_t{1})}};
}

void Gemm::MultiplyColumns(const GemmArguments& g, int64_t column, int64_t columns) {
  const int64_t unit = kernels_.gemm_columns, stride = PanelStrideOfB(g.k);
  float* packed_b = shared_.Floats(CeilDivide(columns, unit) * stride + kSlack);
  const Cut packs{columns, unit, CeilDivide(columns, 8 * unit)};
  const int64_t depths = CeilDivide(g.k, kMaxGemmDepth);
  pool_.Run(packs.parts * depths, [&](int64_t task, int) {
    const int64_t part = task / depths, first = packs.begin(part);
    const int64_t begin = task % depths * kMaxGemmDepth;
    kernels_.pack_panels(
        Part(g.b, column + first, packs.size(part), begin, std::min(kMaxGemmDepth, g.k - begin)),
        unit, packed_b + first / unit * stride + begin * unit, stride);
  });
  const auto tiles = CutOutput(g, columns);
  const auto& row_tiles = tiles.first;
  const auto& column_tiles = tiles.second;
  pool_.Run(row_tiles.parts * column_tiles.parts, [&](int64_t task, int thread) {
    const int64_t i = task % row_tiles.parts, j = task / row_tiles.parts;
    const int64_t first = column_tiles.begin(j);
    MultiplyTile(g,
                 {.row = row_tiles.begin(i),
                  .rows = row_tiles.size(i),
                  .column = column + first,
                  .columns = column_tiles.size(j)},
                 packed_b + first / unit * stride, thread);
  });
}

void Gemm::MultiplyTile(const GemmArguments& g, const Tile& tile, const float* packed_b,
                        int thread) {
  const int64_t depth_block = DepthBlock(g.k);
  const bool in_place = g.a.depth_stride == 1 && tile.columns <= kInPlaceColumns;
  for (int64_t begin = 0; begin < g.k; begin += depth_block) {
    const int64_t depth = std::min(depth_block, g.k - begin);
    const bool last = begin + depth == g.k;
    const PackSource rows = Part(g.a, tile.row, tile.rows, begin, depth);
    GemmBlock block{.a = rows.x,
                    .a_stride = rows.row_stride,
                    .a_in_place = in_place,
                    .b = packed_b + begin * kernels_.gemm_columns,
                    .b_stride = PanelStrideOfB(g.k),
                    .rows = tile.rows,
                    .columns = tile.columns,
                    .depth = depth,
                    .c = g.c + tile.row * g.c_stride + tile.column,
                    .c_stride = g.c_stride,
                    .add_to_c = g.accumulate || begin > 0,
                    .bias = last && g.bias != nullptr ? g.bias + tile.column : nullptr,
                    .relu = last && g.relu};
    if (!in_place) {
      block.a_stride = PanelStrideOfA(depth);
      float* packed_a = per_thread_[static_cast<size_t>(thread)].Floats(
          CeilDivide(tile.rows, kernels_.gemm_rows) * PanelStrideOfA(depth_block) + kSlack);
      kernels_.pack_panels(rows, kernels_.gemm_rows, packed_a, block.a_stride);
      block.a = packed_a;
    }
    kernels_.gemm_block(block);
  }
}

// Few rows: they are packed, and b is read once.
void Gemm::MultiplyFewRows(const GemmArguments& g) {
  constexpr int64_t kPanel = 8;
  const int64_t stride = kPanel * g.k;
  float* packed = shared_.Floats(CeilDivide(g.m, kPanel) * stride + kSlack);
  kernels_.pack_panels(Part(g.a, 0, g.m, 0, g.k), kPanel, packed, stride);
  const int64_t columns = RoundUp(CeilDivide(kFewRowsWork, RoundUp(g.m, kPanel) * g.k), kPanel);
  pool_.Run(CeilDivide(g.n, columns), [&](int64_t task, int) {
    const int64_t column = task * columns;
    kernels_.gemm_few_rows({.a = packed,
                            .b = g.b.data + column * g.b.row_stride,
                            .a_stride = stride,
                            .b_stride = g.b.row_stride,
                            .rows = g.m,
                            .columns = std::min(columns, g.n - column),
                            .depth = g.k,
                            .depth_block = DepthBlock(g.k),
                            .c = g.c + column,
                            .c_stride = g.c_stride,
                            .add_to_c = g.accumulate,
                            .bias = g.bias == nullptr ? nullptr : g.bias + column,
                            .relu = g.relu});
  });
}

}  // namespace heed
