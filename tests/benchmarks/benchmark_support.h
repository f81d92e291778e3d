// What the kernel benchmarks share: the backend under test and matrices in memory like a step's.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "backend/backend.h"

namespace heed {

// The backend that --backend and --threads of the command line name; made once.
Backend& BenchmarkedBackend();

// A matrix of numbers in [-1, 1) that owns its memory, which lies in large pages like a workspace.
class BenchmarkMatrix {
 public:
  BenchmarkMatrix(int64_t rows, int64_t columns);
  MatrixView view() const { return view_; }
  float* data() const { return static_cast<float*>(view_.data); }

 private:
  Memory memory_;
  MatrixView view_;
};

// Shows flops (or bytes) of one iteration as a rate, the former with its share of the FMA peak of
// as many threads as the backend has.
void ReportFlops(benchmark::State& state, double flops);
void ReportBytes(benchmark::State& state, double bytes);

// FLOP/s of independent multiply-adds in registers, all threads of the backend together, the best
// of several short samples.
double FmaPeak();

}  // namespace heed
