// Attention, packed and cached. The naive form holds all scores of a sentence: it shows what the
// blocked one saves in time; its memory grows with the square of the length.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "tests/benchmarks/benchmark_support.h"

namespace heed {
namespace {

// Self-attention of `sentences` sentences of the same length.
struct Problem {
  explicit Problem(const benchmark::State& state, double dropout = 0)
      : length(state.range(0)),
        sentences(std::max<int64_t>(2048 / length, 1)),
        heads(state.range(1)),
        width(state.range(2)),
        layout(SequenceLayout::FromLengths(
            std::vector<int32_t>(static_cast<size_t>(sentences), static_cast<int32_t>(length)))),
        q(tokens(), heads * width),
        k(tokens(), heads * width),
        v(tokens(), heads * width),
        y(tokens(), heads * width),
        dy(tokens(), heads * width),
        log_sums(tokens(), heads),
        arguments{.q = q.view(),
                  .k = k.view(),
                  .v = v.view(),
                  .queries = &layout,
                  .keys = &layout,
                  .heads = heads,
                  .scale = 1 / std::sqrt(static_cast<double>(width)),
                  .dropout = {.rate = dropout, .stream = {.seed = 1, .update = 1, .op = 1}}} {}
  int64_t tokens() const { return length * sentences; }
  // Of `products` products of a [length, length] matrix and a [length, width] one.
  double flops(int products) const {
    return 2.0 * products * static_cast<double>(length * length * width * heads * sentences);
  }
  int64_t length, sentences, heads, width;
  SequenceLayout layout;
  BenchmarkMatrix q, k, v, y, dy, log_sums;
  AttentionArguments arguments;
};

void Shapes(benchmark::internal::Benchmark* b) {
  for (const int64_t length : {10, 16, 25, 40, 64, 256, 1024, 4096, 8192}) {
    b->Args({length, 8, 64});
  }
  for (const int64_t length : {16, 25, 40, 64}) b->Args({length, 4, 32});
  b->ArgNames({"length", "heads", "width"})->Unit(benchmark::kMicrosecond)->UseRealTime();
}

void AttentionForward(benchmark::State& state) {
  const Problem p(state);
  for (auto _ : state) {
    BenchmarkedBackend().AttentionForward(p.arguments, p.y.view(), p.log_sums.view());
  }
  ReportFlops(state, p.flops(2));
}
BENCHMARK(AttentionForward)->Apply(Shapes);

void AttentionForwardDropout(benchmark::State& state) {
  const Problem p(state, 0.1);
  for (auto _ : state) {
    BenchmarkedBackend().AttentionForward(p.arguments, p.y.view(), p.log_sums.view());
  }
  ReportFlops(state, p.flops(2));
}
BENCHMARK(AttentionForwardDropout)->Apply(Shapes);

void Backward(benchmark::State& state, double dropout) {
  const Problem p(state, dropout);
  const BenchmarkMatrix dq(p.tokens(), p.heads * p.width), dk(p.tokens(), p.heads * p.width),
      dv(p.tokens(), p.heads * p.width);
  BenchmarkedBackend().AttentionForward(p.arguments, p.y.view(), p.log_sums.view());
  for (auto _ : state) {
    BenchmarkedBackend().AttentionBackward(p.arguments, p.y.view(), p.log_sums.view(), p.dy.view(),
                                           dq.view(), dk.view(), dv.view());
  }
  ReportFlops(state, p.flops(5));
}
void AttentionBackward(benchmark::State& state) {
  Backward(state, 0);
}
void AttentionBackwardDropout(benchmark::State& state) {
  Backward(state, 0.1);
}
BENCHMARK(AttentionBackward)->Apply(Shapes);
BENCHMARK(AttentionBackwardDropout)->Apply(Shapes);

void CachedAttention(benchmark::State& state) {
  const int64_t hypotheses = state.range(0), steps = state.range(1);
  constexpr int64_t kHeads = 8, kWidth = 64;
  const BenchmarkMatrix q(hypotheses, kHeads * kWidth), k(hypotheses * steps, kHeads * kWidth),
      v(hypotheses * steps, kHeads * kWidth), y(hypotheses, kHeads * kWidth);
  std::vector<int32_t> history;
  for (int64_t row = 0; row < hypotheses; ++row) {
    for (int64_t t = 0; t < steps; ++t) {
      history.push_back(static_cast<int32_t>(t * hypotheses + row));
    }
  }
  for (auto _ : state) {
    BenchmarkedBackend().CachedAttention({.q = q.view(),
                                          .k = k.view(),
                                          .v = v.view(),
                                          .history = history,
                                          .steps = steps,
                                          .heads = kHeads,
                                          .scale = 0.125},
                                         y.view());
  }
  ReportBytes(state, 8.0 * static_cast<double>(hypotheses * steps * kHeads * kWidth));
}
BENCHMARK(CachedAttention)
    ->ArgsProduct({{1, 5, 64, 320}, {10, 30, 100}})
    ->ArgNames({"hypotheses", "steps"})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace
}  // namespace heed
