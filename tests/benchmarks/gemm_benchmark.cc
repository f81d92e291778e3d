// Matrix products of training and decoding, beside oneDNN's sgemm (OpenMP: set OMP_NUM_THREADS to
// --threads). Shapes: a base model with 2,048 tokens, a tiny one with 4,096, decoding steps.
#include <benchmark/benchmark.h>
#include <oneapi/dnnl/dnnl.h>

#include <vector>

#include "tests/benchmarks/benchmark_support.h"

namespace heed {
namespace {

// tokens, out, in
using Shapes = std::vector<std::vector<int64_t>>;
const Shapes& TrainingShapes() {
  static const Shapes shapes = {{2048, 512, 512},  {2048, 2048, 512}, {2048, 512, 2048},
                                {2048, 8000, 512}, {4096, 128, 128},  {4096, 256, 128},
                                {4096, 128, 256},  {4096, 8000, 128}};
  return shapes;
}

void Training(benchmark::internal::Benchmark* b) {
  for (const auto& shape : TrainingShapes()) b->Args(shape);
  b->ArgNames({"tokens", "out", "in"})->Unit(benchmark::kMicrosecond)->UseRealTime();
}

void Decoding(benchmark::internal::Benchmark* b) {
  for (const int64_t tokens : {1, 5, 16, 64}) {
    b->Args({tokens, 2048, 512})->Args({tokens, 8000, 512})->Args({tokens, 256, 128});
  }
  b->ArgNames({"tokens", "out", "in"})->Unit(benchmark::kMicrosecond)->UseRealTime();
}

struct Operands {
  explicit Operands(const benchmark::State& state)
      : tokens(state.range(0)),
        out(state.range(1)),
        in(state.range(2)),
        x(tokens, in),
        y(tokens, out),
        w(out, in) {}
  double flops() const { return 2.0 * static_cast<double>(tokens * out * in); }
  int64_t tokens, out, in;
  BenchmarkMatrix x, y, w;
};

void Linear(benchmark::State& state) {
  const Operands o(state);
  for (auto _ : state) {
    BenchmarkedBackend().Linear(o.x.view(), o.w.view(), {}, Activation::kNone, o.y.view());
  }
  ReportFlops(state, o.flops());
}
BENCHMARK(Linear)->Apply(Training)->Apply(Decoding);

void LinearBackwardInput(benchmark::State& state) {
  const Operands o(state);
  for (auto _ : state) {
    BenchmarkedBackend().LinearBackwardInput(o.y.view(), o.w.view(), o.x.view(), false);
  }
  ReportFlops(state, o.flops());
}
BENCHMARK(LinearBackwardInput)->Apply(Training);

void LinearBackwardWeight(benchmark::State& state) {
  const Operands o(state);
  for (auto _ : state) {
    BenchmarkedBackend().LinearBackwardWeight(o.y.view(), o.x.view(), o.w.view());
  }
  ReportFlops(state, o.flops());
}
BENCHMARK(LinearBackwardWeight)->Apply(Training);

void OneDnnLinear(benchmark::State& state) {
  const Operands o(state);
  for (auto _ : state) {
    dnnl_sgemm('N', 'T', o.tokens, o.out, o.in, 1, o.x.data(), o.in, o.w.data(), o.in, 0,
               o.y.data(), o.out);
  }
  ReportFlops(state, o.flops());
}
BENCHMARK(OneDnnLinear)->Apply(Training)->Apply(Decoding);

void OneDnnBackwardInput(benchmark::State& state) {
  const Operands o(state);
  for (auto _ : state) {
    dnnl_sgemm('N', 'N', o.tokens, o.in, o.out, 1, o.y.data(), o.out, o.w.data(), o.in, 0,
               o.x.data(), o.in);
  }
  ReportFlops(state, o.flops());
}
BENCHMARK(OneDnnBackwardInput)->Apply(Training);

void OneDnnBackwardWeight(benchmark::State& state) {
  const Operands o(state);
  for (auto _ : state) {
    dnnl_sgemm('T', 'N', o.out, o.in, o.tokens, 1, o.y.data(), o.out, o.x.data(), o.in, 1,
               o.w.data(), o.in);
  }
  ReportFlops(state, o.flops());
}
BENCHMARK(OneDnnBackwardWeight)->Apply(Training);

}  // namespace
}  // namespace heed
