// Single-precision matrix products on several threads, in the manner of Goto and van de Geijn 2008
// ("Anatomy of high-performance matrix multiplication") and BLIS (Van Zee and van de Geijn 2015):
// operands are packed into panels that stay in the caches, a register tile runs over them.
//
// The depth is cut into blocks by its own length only and is never split over threads, so that an
// element of c has the same bits whatever the number of rows, columns and threads.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "backend/cpu/kernels.h"
#include "backend/cpu/scratch.h"
#include "util/thread_pool.h"

namespace heed {

// Element (row, d) is at data[row * row_stride + d * depth_stride]; one stride is 1.
struct GemmOperand {
  const float* data = nullptr;
  int64_t row_stride = 0, depth_stride = 0;
};

// c [m, n] (+)= a [m, k] b [n, k]' + bias, then ReLU.
struct GemmArguments {
  int64_t m = 0, n = 0, k = 0;
  GemmOperand a, b;
  float* c = nullptr;
  int64_t c_stride = 0;
  bool accumulate = false;
  const float* bias = nullptr;  // [n] or null
  bool relu = false;
};

class Gemm {
 public:
  Gemm(const KernelTable& kernels, ThreadPool& pool);
  void operator()(const GemmArguments& arguments);

 private:
  struct Cut;
  struct Tile;
  std::pair<Cut, Cut> CutOutput(const GemmArguments& g, int64_t columns) const;
  void MultiplyColumns(const GemmArguments& g, int64_t column, int64_t columns);
  void MultiplyTile(const GemmArguments& g, const Tile& tile, const float* packed_b, int thread);
  void MultiplyFewRows(const GemmArguments& g);
  int64_t PanelStrideOfA(int64_t depth) const;
  int64_t PanelStrideOfB(int64_t depth) const;

  const KernelTable& kernels_;
  ThreadPool& pool_;
  ScratchBlock shared_;
  std::vector<ScratchBlock> per_thread_;
};

}  // namespace heed
