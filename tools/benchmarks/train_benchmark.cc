// Times updates on batches from a file: tokens/s, the time of each kernel, what the products of the
// step cost alone, and the peak of memory against the plan. train_speed.sh compares it with
// PyTorch.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "backend/profiling.h"
#include "config/recipe_reader.h"
#include "models/model_factory.h"
#include "optim/schedule.h"
#include "tools/benchmarks/batch_file.h"
#include "train/memory_plan.h"
#include "train/train_step.h"
#include "util/check.h"

namespace heed {
namespace {

using Clock = std::chrono::steady_clock;
double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Options {
  std::string recipe, data;
  int64_t vocabulary = 8000;
  int threads = 0, updates = 10, warmup = 3;
};

Options ReadOptions(int argc, char** argv) {
  Options options;
  CLI::App app("Times updates of a recipe's model on batches from a file; prints JSON.");
  app.add_option("recipe", options.recipe, "For instance configs/transformer_tiny.yaml")
      ->required();
  app.add_option("--data", options.data, "Batches, see batches.py")->required();
  app.add_option("--vocabulary", options.vocabulary, "Entries, joint")->capture_default_str();
  app.add_option("--threads", options.threads, "0 = one per core")->capture_default_str();
  app.add_option("--updates", options.updates, "Timed updates")->capture_default_str();
  app.add_option("--warmup", options.warmup, "Updates before them")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return options;
}

BatchLimits LargestOf(const std::vector<Batch>& batches) {
  BatchLimits limits{.target_tokens = 0, .source_tokens = 0};
  for (const Batch& batch : batches) {
    limits.target_tokens = std::max(limits.target_tokens, batch.num_target_tokens());
    limits.source_tokens = std::max(limits.source_tokens, batch.num_source_tokens());
  }
  return limits;
}

int64_t PeakResidentBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

// Matrices that products run on alone; every product uses the same, so they are as warm as can be.
class Bench {
 public:
  explicit Bench(Backend& backend) : backend_(backend) {}

  // Of products [first, ...), once a round has touched the memory.
  double SecondsOf(const std::vector<LinearProduct>& products, size_t first) {
    if (bytes() == 0) {
      for (size_t i = first; i < products.size(); ++i) Run(products[i]);
    }
    const auto start = Clock::now();
    for (size_t i = first; i < products.size(); ++i) Run(products[i]);
    return SecondsSince(start);
  }
  int64_t bytes() const {
    return memories_[0].bytes() + memories_[1].bytes() + memories_[2].bytes();
  }

 private:
  void Run(const LinearProduct& p) {
    const MatrixView x = At(0, p.tokens, p.in), y = At(1, p.tokens, p.out), w = At(2, p.out, p.in);
    switch (p.kind) {
      case LinearProduct::kForward:
        return backend_.Linear(x, w, {}, Activation::kNone, y);
      case LinearProduct::kBackwardInput:
        return backend_.LinearBackwardInput(y, w, x, false);
      case LinearProduct::kBackwardWeight:
        return backend_.LinearBackwardWeight(y, x, w);
    }
  }

  MatrixView At(size_t which, int64_t rows, int64_t columns) {
    Memory& memory = memories_[which];
    if (memory.bytes() < rows * columns * 4) memory = backend_.Allocate(rows * columns * 4);
    return {memory.data(), DType::kFloat32, rows, columns, columns};
  }

  Backend& backend_;
  Memory memories_[3];
};

nlohmann::json KernelsToJson(const std::vector<KernelCost>& costs, int updates) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const KernelCost& cost : costs) {
    kernels.push_back({{"kernel", cost.kernel},
                       {"calls", static_cast<double>(cost.calls) / updates},
                       {"seconds", cost.seconds / updates},
                       {"flops", cost.flops / updates}});
  }
  return kernels;
}

nlohmann::json Measure(const Options& options) {
  const Recipe recipe = LoadRecipe(options.recipe);
  const std::vector<Batch> batches = ReadBatches(options.data, options.vocabulary);
  const auto backend = MakeBackend({.num_threads = options.threads});
  ProfilingBackend profiling(*backend);
  const TransformerShape shape{.options = recipe.model,
                               .source_vocabulary = options.vocabulary,
                               .target_vocabulary = options.vocabulary};
  const MemoryPlan plan = PlanMemory(recipe, shape, LargestOf(batches));
  ParameterStore store;
  const auto model = MakeModel(store, shape, recipe.training.activation_checkpointing);
  store.Allocate(DType::kFloat32, true, [&](int64_t bytes) { return backend->Allocate(bytes); });
  store.Initialize(static_cast<uint64_t>(recipe.seed));
  TrainStep step(recipe, *model, store, profiling, plan.workspace_bytes + plan.workspace_bytes / 2);
  const Schedule schedule(recipe.training.schedule, recipe.model.model_width, 0);

  // After each update its products alone, since the speed of a shared machine drifts.
  Bench bench(*backend);
  std::vector<double> losses, update_seconds;
  double seconds = 0, alone = 0, target_tokens = 0;
  size_t products_done = 0;
  int64_t peak = 0;  // without the bench's matrices
  for (int update = 1; update <= options.warmup + options.updates; ++update) {
    const Batch& batch = batches[static_cast<size_t>(update - 1) % batches.size()];
    if (update == options.warmup + 1) profiling.Clear();
    const auto start = Clock::now();
    step.Begin(update);
    step.Accumulate(batch);
    const UpdateReport report = step.Finish(schedule.Rate(update));
    if (!report.non_finite.empty()) ThrowUserError("update {}: {}", update, report.non_finite);
    losses.push_back(report.nll());
    if (update <= options.warmup) continue;
    update_seconds.push_back(SecondsSince(start));
    seconds += update_seconds.back();
    target_tokens += static_cast<double>(batch.num_target_tokens());
    peak = std::max(peak, PeakResidentBytes() - bench.bytes());
    alone += bench.SecondsOf(profiling.products(), products_done);
    products_done = profiling.products().size();
  }
  double flops = 0;
  for (const LinearProduct& product : profiling.products()) flops += product.flops();
  std::sort(update_seconds.begin(), update_seconds.end());
  return {{"recipe", options.recipe},
          {"backend", backend->Describe()},
          {"parameters", plan.num_parameters},
          {"updates", options.updates},
          {"tokens_per_second", target_tokens / seconds},
          {"seconds_per_update", seconds / options.updates},
          {"fastest_update", update_seconds.front()},
          {"products_flops", flops / options.updates},
          {"products_alone_seconds", alone / options.updates},
          {"peak_rss_bytes", peak},
          {"planned_bytes", plan.total_bytes()},
          {"nll", losses},
          {"kernels", KernelsToJson(profiling.Costs(), options.updates)}};
}

}  // namespace
}  // namespace heed

int main(int argc, char** argv) {
  try {
    fmt::print("{}\n", heed::Measure(heed::ReadOptions(argc, argv)).dump());
    return 0;
  } catch (const heed::UserError& error) {
    fmt::print(stderr, "train_benchmark: {}\n", error.what());
    return 2;
  }
}
