// Time and memory of attention against the length of a sentence: forward and backward of one
// sentence with 8 heads of width 64, beside the naive form that keeps the scores of all heads.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "util/check.h"
#include "util/philox.h"
#include "util/thread_pool.h"

namespace heed {
namespace {

constexpr int64_t kHeads = 8, kWidth = 64;

class Matrix {
 public:
  Matrix(Backend& backend, int64_t rows, int64_t columns)
      : memory_(backend.Allocate(rows * columns * 4)),
        view_{memory_.data(), DType::kFloat32, rows, columns, columns} {}
  MatrixView view() const { return view_; }
  MatrixView Head(int64_t head) const { return view_.Columns(head * kWidth, kWidth); }
  void Draw(uint32_t op) const {
    for (int64_t row = 0; row < view_.rows; ++row) {
      for (int64_t i = 0; i < view_.columns; ++i) {
        const auto n = static_cast<uint64_t>(row * view_.columns + i);
        view_.Row<float>(row)[i] =
            static_cast<float>(RandomUniform({.seed = 1, .update = 0, .op = op}, n) - 0.5);
      }
    }
  }

 private:
  Memory memory_;
  MatrixView view_;
};

struct Problem {
  Problem(Backend& b, int64_t length)
      : backend(b),
        layout(SequenceLayout::FromLengths(std::vector<int32_t>{static_cast<int32_t>(length)})),
        q(b, length, kHeads * kWidth),
        k(b, length, kHeads * kWidth),
        v(b, length, kHeads * kWidth),
        y(b, length, kHeads * kWidth),
        dy(b, length, kHeads * kWidth),
        dq(b, length, kHeads * kWidth),
        dk(b, length, kHeads * kWidth),
        dv(b, length, kHeads * kWidth) {
    uint32_t op = 0;
    for (const Matrix* x : {&q, &k, &v, &dy}) x->Draw(op++);
    for (const Matrix* x : {&y, &dq, &dk, &dv}) b.Fill(x->view(), 0);
  }
  Backend& backend;
  SequenceLayout layout;
  Matrix q, k, v, y, dy, dq, dk, dv;
};

void Blocked(Problem& p, ThreadPool&) {
  const Matrix log_sums(p.backend, p.layout.num_tokens(), kHeads);
  AttentionArguments arguments;
  arguments.q = p.q.view();
  arguments.k = p.k.view();
  arguments.v = p.v.view();
  arguments.queries = arguments.keys = &p.layout;
  arguments.heads = kHeads;
  arguments.scale = 1 / std::sqrt(static_cast<double>(kWidth));
  p.backend.AttentionForward(arguments, p.y.view(), log_sums.view());
  p.backend.AttentionBackward(arguments, p.y.view(), log_sums.view(), p.dy.view(), p.dq.view(),
                              p.dk.view(), p.dv.view());
}

// Equation 1 of Vaswani et al. 2017 as it stands, and its derivative, with the same products and
// threads. All probabilities are kept for backward, as a framework without a fused kernel does.
void Naive(Problem& p, ThreadPool& pool) {
  const int64_t length = p.layout.num_tokens();
  const float scale = 1 / std::sqrt(static_cast<float>(kWidth));
  const auto rows = [&](auto&& body) { pool.Run(length, [&](int64_t row, int) { body(row); }); };
  std::vector<Matrix> probabilities;
  for (int64_t head = 0; head < kHeads; ++head) {
    const Matrix& s = probabilities.emplace_back(p.backend, length, length);
    p.backend.Linear(p.q.Head(head), p.k.Head(head), {}, Activation::kNone, s.view());
    rows([&](int64_t row) {
      for (int64_t i = 0; i < length; ++i) s.view().Row<float>(row)[i] *= scale;
    });
    p.backend.LogSoftmax(s.view());
    rows([&](int64_t row) {
      for (int64_t i = 0; i < length; ++i) {
        s.view().Row<float>(row)[i] = std::exp(s.view().Row<float>(row)[i]);
      }
    });
    p.backend.LinearBackwardInput(s.view(), p.v.Head(head), p.y.Head(head), false);
  }
  std::vector<Matrix> gradients;
  for (int64_t head = 0; head < kHeads; ++head) {
    const Matrix& s = probabilities[static_cast<size_t>(head)];
    const Matrix& ds = gradients.emplace_back(p.backend, length, length);
    p.backend.Fill(p.dv.Head(head), 0);
    p.backend.Fill(p.dk.Head(head), 0);
    p.backend.LinearBackwardWeight(s.view(), p.dy.Head(head), p.dv.Head(head));
    p.backend.Linear(p.dy.Head(head), p.v.Head(head), {}, Activation::kNone, ds.view());
    rows([&](int64_t row) {
      const float* probability = s.view().Row<float>(row);
      float* d = ds.view().Row<float>(row);
      float dot = 0;
      for (int64_t i = 0; i < length; ++i) dot += probability[i] * d[i];
      for (int64_t i = 0; i < length; ++i) d[i] = probability[i] * (d[i] - dot) * scale;
    });
    p.backend.LinearBackwardInput(ds.view(), p.k.Head(head), p.dq.Head(head), false);
    p.backend.LinearBackwardWeight(ds.view(), p.q.Head(head), p.dk.Head(head));
  }
}

using Form = void (*)(Problem&, ThreadPool&);

int64_t StatusBytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoll(line.substr(key.size() + 1)) * 1024;
  }
  ThrowUserError("/proc/self/status has no {}", key);
}

struct Cost {
  double seconds = 0;
  int64_t bytes = 0;  // above inputs, outputs and gradients
};

// In a process of its own, so that its peak of memory is its own.
Cost Measure(Form form, int64_t length, int threads) {
  int channel[2];
  HEED_CHECK(pipe(channel) == 0, "pipe failed");
  const pid_t child = fork();
  HEED_CHECK(child >= 0, "fork failed");
  if (child == 0) {
    const auto backend = MakeBackend({.num_threads = threads});
    ThreadPool pool(threads);
    Cost cost;
    {
      Problem small(*backend, 16);  // code and threads are there before the count starts
      form(small, pool);
    }
    Problem problem(*backend, length);
    const int64_t before = StatusBytes("VmRSS");
    const auto start = std::chrono::steady_clock::now();
    form(problem, pool);
    cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    cost.bytes = StatusBytes("VmHWM") - before;
    const bool written = write(channel[1], &cost, sizeof(cost)) == sizeof(cost);
    _exit(written ? 0 : 1);
  }
  close(channel[1]);
  Cost cost;
  const bool complete = read(channel[0], &cost, sizeof(cost)) == sizeof(cost);
  close(channel[0]);
  waitpid(child, nullptr, 0);
  if (!complete)
    ThrowUserError("length {}: the measuring process failed; is memory short?", length);
  return cost;
}

double LargestDifference(const Matrix& x, const Matrix& y) {
  double largest = 0;
  for (int64_t row = 0; row < x.view().rows; ++row) {
    for (int64_t i = 0; i < x.view().columns; ++i) {
      largest = std::max(largest, std::fabs(static_cast<double>(x.view().Row<float>(row)[i]) -
                                            static_cast<double>(y.view().Row<float>(row)[i])));
    }
  }
  return largest;
}

// Both forms must compute the same before their costs are compared.
void CheckSame(int threads) {
  const auto backend = MakeBackend({.num_threads = threads});
  ThreadPool pool(threads);
  Problem blocked(*backend, 300), naive(*backend, 300);
  Blocked(blocked, pool);
  Naive(naive, pool);
  for (const auto& [x, y] :
       {std::pair{&blocked.y, &naive.y}, std::pair{&blocked.dq, &naive.dq},
        std::pair{&blocked.dk, &naive.dk}, std::pair{&blocked.dv, &naive.dv}}) {
    const double difference = LargestDifference(*x, *y);
    if (!(difference < 1e-5)) ThrowUserError("the two forms differ by {}", difference);
  }
}

int Run(int argc, char** argv) {
  std::vector<int64_t> lengths = {512, 1024, 2048, 4096, 8192};
  int64_t longest_naive = 4096;
  int threads = 0;
  CLI::App app("Time and memory of attention against the length, beside the naive form.");
  app.add_option("--lengths", lengths, "Tokens")->delimiter(',')->capture_default_str();
  app.add_option("--longest-naive", longest_naive, "The naive form needs 64 bytes * length^2")
      ->capture_default_str();
  app.add_option("--threads", threads, "0 = one per core")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  CheckSame(threads);
  fmt::print("{:>7}{:>12}{:>12}{:>14}{:>14}{:>9}\n", "length", "ms", "MB", "naive ms", "naive MB",
             "memory");
  for (const int64_t length : lengths) {
    const Cost own = Measure(&Blocked, length, threads);
    fmt::print("{:7}{:12.1f}{:12.2f}", length, own.seconds * 1e3,
               static_cast<double>(own.bytes) * 1e-6);
    if (length <= longest_naive) {
      const Cost naive = Measure(&Naive, length, threads);
      fmt::print("{:14.1f}{:14.2f}{:>9}", naive.seconds * 1e3,
                 static_cast<double>(naive.bytes) * 1e-6,
                 fmt::format("1/{:.0f}",
                             static_cast<double>(naive.bytes) / static_cast<double>(own.bytes)));
    }
    fmt::print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace heed

int main(int argc, char** argv) {
  try {
    return heed::Run(argc, argv);
  } catch (const heed::UserError& error) {
    fmt::print(stderr, "attention_length: {}\n", error.what());
    return 2;
  }
}
