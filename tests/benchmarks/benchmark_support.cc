#include "tests/benchmarks/benchmark_support.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "util/thread_pool.h"

namespace heed {
namespace {

constexpr int kChains = 12, kLanes = 8;
constexpr int64_t kRounds = 20000;

// Twelve chains hide the latency of two multiply-add units. Without FMA this measures a multiply
// and an add.
template <class Vector>
[[gnu::always_inline]] inline float RunChains(float start) {
  Vector chains[kChains];
  const Vector factor = Vector{} + 0.999F, term = Vector{} + 0.001F;
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) chains[i] = Vector{} + (start + static_cast<float>(i));
  for (int64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chains[i] = chains[i] * factor + term;
  }
  float sum = 0;
  for (int i = 0; i < kChains; ++i) sum += chains[i][0];
  return sum;
}

using Vector32 = float __attribute__((vector_size(32)));
using Vector16 = float __attribute__((vector_size(16)));

// The one place where the compiler may fuse: that is what is measured.
__attribute__((target("avx2,fma"), optimize("fp-contract=fast"))) float Avx2Chains(float start) {
  return RunChains<Vector32>(start) + RunChains<Vector32>(start + 1);
}
float PortableChains(float start) {
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += RunChains<Vector16>(start + static_cast<float>(i));
  return sum;
}

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int NumThreads() {
  const std::string description = BenchmarkedBackend().Describe();
  const size_t comma = description.find(", ");
  return comma == std::string::npos ? 1 : std::max(1, std::atoi(description.c_str() + comma + 2));
}

double MeasureFmaPeak() {
  constexpr double kFlops = 2.0 * kChains * kLanes * kRounds * 2;  // of one call
  const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  ThreadPool pool(NumThreads());
  const int64_t tasks = pool.num_threads();
  std::vector<float> sinks(static_cast<size_t>(tasks));
  double best = 0;
  for (int sample = 0; sample < 40; ++sample) {
    const double start = Seconds();
    pool.Run(tasks, [&](int64_t task, int) {
      const auto seed = static_cast<float>(sample);
      sinks[static_cast<size_t>(task)] += has_fma ? Avx2Chains(seed) : PortableChains(seed);
    });
    best = std::max(best, kFlops * static_cast<double>(tasks) / (Seconds() - start));
  }
  benchmark::DoNotOptimize(sinks.data());
  return best;
}

}  // namespace

double FmaPeak() {
  static const double peak = MeasureFmaPeak();
  return peak;
}

BenchmarkMatrix::BenchmarkMatrix(int64_t rows, int64_t columns)
    : memory_(Memory::Host(std::max(rows * columns, int64_t{1}) * 4)),
      view_{memory_.data(), DType::kFloat32, rows, columns, columns} {
  const RandomStream stream{.seed = 1, .update = 1, .op = static_cast<uint32_t>(columns)};
  for (int64_t i = 0; i < rows * columns; ++i) {
    data()[i] = static_cast<float>(2 * RandomUniform(stream, static_cast<uint64_t>(i)) - 1);
  }
}

void ReportFlops(benchmark::State& state, double flops) {
  const double total = flops * static_cast<double>(state.iterations());
  state.counters["flops"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters["of_peak"] = benchmark::Counter(total / FmaPeak(), benchmark::Counter::kIsRate);
}

void ReportBytes(benchmark::State& state, double bytes) {
  state.counters["bytes"] =
      benchmark::Counter(bytes * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate, benchmark::Counter::kIs1024);
}

}  // namespace heed
