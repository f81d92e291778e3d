// Kernels over rows as long as a vocabulary, and the optimizer over a whole model.
#include <benchmark/benchmark.h>

#include <vector>

#include "tests/benchmarks/benchmark_support.h"

namespace heed {
namespace {

void Vocabularies(benchmark::internal::Benchmark* b) {
  b->Args({512, 8000})->Args({128, 32000})->ArgNames({"rows", "vocabulary"});
  b->Unit(benchmark::kMicrosecond)->UseRealTime();
}

void CrossEntropy(benchmark::State& state) {
  const BenchmarkMatrix logits(state.range(0), state.range(1)), losses(state.range(0), 2);
  const std::vector<int32_t> labels(static_cast<size_t>(state.range(0)), 7);
  for (auto _ : state) {
    BenchmarkedBackend().CrossEntropy(logits.view(), labels, 0.1, 1.0, true, losses.view());
  }
  ReportBytes(state, 8.0 * static_cast<double>(logits.view().size()));
}
BENCHMARK(CrossEntropy)->Apply(Vocabularies);

void LogSoftmax(benchmark::State& state) {
  const BenchmarkMatrix x(state.range(0), state.range(1));
  for (auto _ : state) BenchmarkedBackend().LogSoftmax(x.view());
  ReportBytes(state, 8.0 * static_cast<double>(x.view().size()));
}
BENCHMARK(LogSoftmax)->Apply(Vocabularies);

void TopK(benchmark::State& state) {
  const int64_t rows = state.range(0), k = state.range(2);
  const BenchmarkMatrix x(rows, state.range(1)), values(rows, k);
  std::vector<int32_t> columns(static_cast<size_t>(rows * k));
  for (auto _ : state) BenchmarkedBackend().TopK(x.view(), k, values.view(), columns);
  ReportBytes(state, 4.0 * static_cast<double>(x.view().size()));
}
BENCHMARK(TopK)
    ->ArgsProduct({{320}, {8000, 32000}, {1, 5, 64}})
    ->ArgNames({"rows", "vocabulary", "k"})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

void Adam(benchmark::State& state) {
  const BenchmarkMatrix value(1, state.range(0)), gradient(1, state.range(0)),
      first(1, state.range(0)), second(1, state.range(0));
  // Second moments are never negative.
  for (int64_t i = 0; i < state.range(0); ++i) second.data()[i] *= second.data()[i];
  for (auto _ : state) {
    BenchmarkedBackend().Adam({.value = value.view(),
                               .gradient = gradient.view(),
                               .first_moment = first.view(),
                               .second_moment = second.view(),
                               .learning_rate = 1e-9});
  }
  ReportBytes(state, 28.0 * static_cast<double>(state.range(0)));
}
void SumOfSquares(benchmark::State& state) {
  const BenchmarkMatrix x(1, state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(BenchmarkedBackend().SumOfSquares(x.view()));
  ReportBytes(state, 4.0 * static_cast<double>(state.range(0)));
}
BENCHMARK(Adam)->Arg(50 << 20)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(SumOfSquares)->Arg(50 << 20)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heed
