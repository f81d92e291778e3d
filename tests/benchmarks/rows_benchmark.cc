// Row-wise and flat kernels: how fast they go through memory.
#include <benchmark/benchmark.h>

#include <vector>

#include "tests/benchmarks/benchmark_support.h"

namespace heed {
namespace {

constexpr DropoutSpec kDropout{.rate = 0.1, .stream = {.seed = 1, .update = 1, .op = 1}};

void Shapes(benchmark::internal::Benchmark* b) {
  b->Args({2048, 512})->Args({2048, 2048})->Args({4096, 128})->Args({4096, 256});
  b->ArgNames({"rows", "columns"})->Unit(benchmark::kMicrosecond)->UseRealTime();
}

// body(x, y, z) on three matrices of the shape; `streams` of them are read or written each time.
template <class Body>
void OnMatrices(benchmark::State& state, double streams, Body body) {
  const BenchmarkMatrix x(state.range(0), state.range(1)), y(state.range(0), state.range(1)),
      z(state.range(0), state.range(1));
  for (auto _ : state) body(x.view(), y.view(), z.view());
  ReportBytes(state, 4 * streams * static_cast<double>(x.view().size()));
}

void DropoutAdd(benchmark::State& state) {
  OnMatrices(state, 3, [](MatrixView x, MatrixView y, MatrixView z) {
    BenchmarkedBackend().DropoutAdd(x, y, kDropout, z);
  });
}
void DropoutBackward(benchmark::State& state) {
  OnMatrices(state, 2, [](MatrixView x, MatrixView y, MatrixView) {
    BenchmarkedBackend().DropoutBackward(x, kDropout, y, false);
  });
}
template <Activation kActivation>
void ActivationForward(benchmark::State& state) {
  OnMatrices(state, 2, [](MatrixView x, MatrixView y, MatrixView) {
    BenchmarkedBackend().ActivationForward(kActivation, x, y);
  });
}
template <Activation kActivation>
void ActivationBackward(benchmark::State& state) {
  OnMatrices(state, 3, [](MatrixView x, MatrixView y, MatrixView z) {
    BenchmarkedBackend().ActivationBackward(kActivation, x, y, z, false);
  });
}
void AddTo(benchmark::State& state) {
  OnMatrices(state, 3,
             [](MatrixView x, MatrixView y, MatrixView) { BenchmarkedBackend().AddTo(x, y); });
}
void LinearBackwardBias(benchmark::State& state) {
  const BenchmarkMatrix db(1, state.range(1));
  OnMatrices(state, 1, [&](MatrixView x, MatrixView, MatrixView) {
    BenchmarkedBackend().LinearBackwardBias(x, db.view());
  });
}
BENCHMARK(DropoutAdd)->Apply(Shapes);
BENCHMARK(DropoutBackward)->Apply(Shapes);
BENCHMARK_TEMPLATE(ActivationForward, Activation::kRelu)->Apply(Shapes);
BENCHMARK_TEMPLATE(ActivationForward, Activation::kGelu)->Apply(Shapes);
BENCHMARK_TEMPLATE(ActivationForward, Activation::kSilu)->Apply(Shapes);
BENCHMARK_TEMPLATE(ActivationBackward, Activation::kRelu)->Apply(Shapes);
BENCHMARK_TEMPLATE(ActivationBackward, Activation::kGelu)->Apply(Shapes);
BENCHMARK(AddTo)->Apply(Shapes);
BENCHMARK(LinearBackwardBias)->Apply(Shapes);

struct NormOperands {
  explicit NormOperands(int64_t rows, int64_t columns)
      : gamma(1, columns), beta(1, columns), statistics(rows, 2) {}
  BenchmarkMatrix gamma, beta, statistics;
};

void LayerNormForward(benchmark::State& state) {
  const NormOperands n(state.range(0), state.range(1));
  OnMatrices(state, 2, [&](MatrixView x, MatrixView y, MatrixView) {
    BenchmarkedBackend().LayerNormForward(x, n.gamma.view(), n.beta.view(), 1e-5, y,
                                          n.statistics.view());
  });
}
void LayerNormBackwardInput(benchmark::State& state) {
  const NormOperands n(state.range(0), state.range(1));
  OnMatrices(state, 3, [&](MatrixView x, MatrixView y, MatrixView z) {
    BenchmarkedBackend().LayerNormBackwardInput(x, y, n.gamma.view(), n.statistics.view(), z,
                                                false);
  });
}
void LayerNormBackwardWeight(benchmark::State& state) {
  const NormOperands n(state.range(0), state.range(1));
  OnMatrices(state, 2, [&](MatrixView x, MatrixView y, MatrixView) {
    BenchmarkedBackend().LayerNormBackwardWeight(x, y, n.statistics.view(), n.gamma.view(),
                                                 n.beta.view());
  });
}
BENCHMARK(LayerNormForward)->Apply(Shapes);
BENCHMARK(LayerNormBackwardInput)->Apply(Shapes);
BENCHMARK(LayerNormBackwardWeight)->Apply(Shapes);

std::vector<int32_t> Ids(int64_t count, int64_t entries) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(i * 7919 % entries));
  return ids;
}

void EmbeddingForward(benchmark::State& state) {
  const BenchmarkMatrix table(8000, state.range(1));
  const std::vector<int32_t> ids = Ids(state.range(0), 8000);
  OnMatrices(state, 2, [&](MatrixView, MatrixView y, MatrixView) {
    BenchmarkedBackend().EmbeddingForward(ids, table.view(), 22.6, y, false);
  });
}
void EmbeddingBackward(benchmark::State& state) {
  const BenchmarkMatrix table(8000, state.range(1));
  const std::vector<int32_t> ids = Ids(state.range(0), 8000);
  OnMatrices(state, 3, [&](MatrixView x, MatrixView, MatrixView) {
    BenchmarkedBackend().EmbeddingBackward(ids, x, 22.6, table.view());
  });
}
BENCHMARK(EmbeddingForward)->Apply(Shapes);
BENCHMARK(EmbeddingBackward)->Apply(Shapes);

}  // namespace
}  // namespace heed
