// Measures the peak rate of float32 fused multiply-adds of this machine, on one thread and on all,
// so that a benchmark can state its share of the peak in the same run. Nothing here touches memory:
// independent chains of FMAs stay in registers. One file, nothing but the C++ library.
//
//   fma_peak [--threads N] [--json]
//
// Each figure is the best of many short samples: a shared machine only ever slows a sample down.
// Non-goals: matrix units (AMX), half precision, memory bandwidth.

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSamples = 20;
constexpr double kSampleSeconds = 0.02;
constexpr int64_t kRounds = 4096;

// Runs `rounds` rounds of FMAs and returns something that depends on all of them.
using Kernel = float (*)(int64_t rounds);

struct InstructionSet {
  const char* name;
  Kernel kernel;
  double flops_per_round;  // a multiply-add counts as 2
};

// Latency 4 or 5 times two units needs 8 to 10 independent chains; 12 leave registers for the
// factors.
constexpr int kChains = 12;

float Total(std::span<const float> lanes) {
  float total = 0;
  for (const float lane : lanes) total += lane;
  return total;
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float Avx512(int64_t rounds) {
  const __m512 factor = _mm512_set1_ps(0.999F);
  const __m512 term = _mm512_set1_ps(0.001F);
  __m512 chain[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) chain[i] = _mm512_set1_ps(static_cast<float>(i));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = _mm512_fmadd_ps(chain[i], factor, term);
  }
  __m512 sum = chain[0];
#pragma GCC unroll 12
  for (int i = 1; i < kChains; ++i) sum = _mm512_add_ps(sum, chain[i]);
  float lanes[16];
  _mm512_storeu_ps(lanes, sum);
  return Total(lanes);
}

__attribute__((target("avx2,fma"))) float Avx2(int64_t rounds) {
  const __m256 factor = _mm256_set1_ps(0.999F);
  const __m256 term = _mm256_set1_ps(0.001F);
  __m256 chain[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) chain[i] = _mm256_set1_ps(static_cast<float>(i));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = _mm256_fmadd_ps(chain[i], factor, term);
  }
  __m256 sum = chain[0];
#pragma GCC unroll 12
  for (int i = 1; i < kChains; ++i) sum = _mm256_add_ps(sum, chain[i]);
  float lanes[8];
  _mm256_storeu_ps(lanes, sum);
  return Total(lanes);
}
#endif

// What the compiler makes of a multiply and an add for the oldest CPU of the build's architecture.
float Portable(int64_t rounds) {
  constexpr int kLanes = 4;
  float chain[kChains * kLanes];
  for (int i = 0; i < kChains * kLanes; ++i) chain[i] = static_cast<float>(i);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 48
    for (int i = 0; i < kChains * kLanes; ++i) chain[i] = chain[i] * 0.999F + 0.001F;
  }
  return Total(chain);
}

InstructionSet Widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {"avx512f", Avx512, 2.0 * kChains * 16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return {"avx2+fma", Avx2, 2.0 * kChains * 8};
  }
#endif
  return {"portable", Portable, 2.0 * kChains * 4};
}

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Best GFLOP/s of `threads` threads that start each sample together; a sample ends with its last
// thread.
double PeakGflops(const InstructionSet& set, int threads) {
  std::barrier together(threads);
  std::vector<double> rates(static_cast<size_t>(threads));  // of one thread in the current sample
  double best = 0;
  auto work = [&](int thread) {
    volatile float sink = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
      together.arrive_and_wait();
      const Clock::time_point start = Clock::now();
      int64_t rounds = 0;
      double seconds = 0;
      for (; seconds < kSampleSeconds; seconds = SecondsSince(start)) {
        sink = sink + set.kernel(kRounds);
        rounds += kRounds;
      }
      rates[static_cast<size_t>(thread)] =
          static_cast<double>(rounds) * set.flops_per_round / seconds * 1e-9;
      together.arrive_and_wait();
      if (thread == 0) {
        double sum = 0;
        for (const double rate : rates) sum += rate;
        best = std::max(best, sum);
      }
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  return best;
}

int Usage() {
  std::fprintf(stderr, "usage: fma_peak [--threads N] [--json]   (N from 1 to 1024)\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
      threads = std::atoi(argv[++i]);
    } else {
      return Usage();
    }
  }
  if (threads < 1 || threads > 1024) return Usage();

  const InstructionSet set = Widest();
  const double one = PeakGflops(set, 1);
  const double all = PeakGflops(set, threads);
  if (json) {
    std::printf(
        "{\"isa\": \"%s\", \"threads\": %d, \"gflops_one_thread\": %.2f, \"gflops\": %.2f}\n",
        set.name, threads, one, all);
  } else {
    std::printf("%s: %.1f GFLOP/s on 1 thread, %.1f on %d\n", set.name, one, all, threads);
  }
  return 0;
}
