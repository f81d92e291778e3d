// kernels_benchmark [--backend=cpu] [--threads=1] and the options of Google Benchmark.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "tests/benchmarks/benchmark_support.h"

namespace heed {
namespace {

BackendOptions& Options() {
  static BackendOptions options{.name = "cpu", .num_threads = 1};
  return options;
}

// Takes our own options out of the command line.
void ReadOptions(int* argc, char** argv) {
  constexpr std::string_view kBackend = "--backend=", kThreads = "--threads=";
  int kept = 0;
  for (int i = 0; i < *argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kBackend)) {
      Options().name = argument.substr(kBackend.size());
    } else if (argument.starts_with(kThreads)) {
      Options().num_threads = std::atoi(argv[i] + kThreads.size());
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
}

}  // namespace

Backend& BenchmarkedBackend() {
  static const std::unique_ptr<Backend> backend = MakeBackend(Options());
  return *backend;
}

}  // namespace heed

int main(int argc, char** argv) {
  heed::ReadOptions(&argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("backend", heed::BenchmarkedBackend().Describe());
  benchmark::AddCustomContext("fma_peak", fmt::format("{:.1f} GFLOP/s", heed::FmaPeak() * 1e-9));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
