#include "backend/profiling.h"

#include <algorithm>
#include <chrono>

namespace heed {
namespace {

// Both products of attention for the pairs of query and key that the mask lets through.
double AttentionFlops(const AttentionArguments& a) {
  double pairs = 0;
  for (int64_t i = 0; i < a.queries->num_sentences(); ++i) {
    const auto queries = static_cast<double>(a.queries->length(i));
    const auto keys = static_cast<double>(a.keys->length(i));
    pairs +=
        a.mask == AttentionMask::kCausal ? queries * (keys - (queries - 1) / 2) : queries * keys;
  }
  return 4 * pairs * static_cast<double>(a.q.columns());
}

}  // namespace

KernelCost& ProfilingBackend::CostOf(const char* kernel) {
  const auto found = std::find_if(costs_.begin(), costs_.end(),
                                  [&](const KernelCost& cost) { return cost.kernel == kernel; });
  return found != costs_.end() ? *found : costs_.emplace_back(KernelCost{.kernel = kernel});
}

std::vector<KernelCost> ProfilingBackend::Costs() const {
  std::vector<KernelCost> sorted = costs_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const KernelCost& a, const KernelCost& b) { return a.seconds > b.seconds; });
  return sorted;
}

void ProfilingBackend::Clear() {
  costs_.clear();
  products_.clear();
}

template <class Body>
void ProfilingBackend::Time(const char* kernel, double flops, Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  KernelCost& cost = CostOf(kernel);
  ++cost.calls;
  cost.seconds += seconds.count();
  cost.flops += flops;
}

template <class Body>
void ProfilingBackend::TimeProduct(const char* kernel, const LinearProduct& product, Body&& body) {
  products_.push_back(product);
  Time(kernel, product.flops(), body);
}

void ProfilingBackend::Fill(MatrixView y, double value) {
  Time("Fill", 0, [&] { backend_.Fill(y, value); });
}
void ProfilingBackend::Copy(ConstMatrixView x, MatrixView y) {
  Time("Copy", 0, [&] { backend_.Copy(x, y); });
}
void ProfilingBackend::AddTo(ConstMatrixView x, MatrixView y) {
  Time("AddTo", 0, [&] { backend_.AddTo(x, y); });
}

void ProfilingBackend::Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b,
                              Activation activation, MatrixView y) {
  TimeProduct("Linear", {LinearProduct::kForward, x.rows(), w.rows(), w.columns()},
              [&] { backend_.Linear(x, w, b, activation, y); });
}
void ProfilingBackend::LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w, MatrixView dx,
                                           bool accumulate) {
  TimeProduct("LinearBackwardInput",
              {LinearProduct::kBackwardInput, dy.rows(), w.rows(), w.columns()},
              [&] { backend_.LinearBackwardInput(dy, w, dx, accumulate); });
}
void ProfilingBackend::LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x, MatrixView dw) {
  TimeProduct("LinearBackwardWeight",
              {LinearProduct::kBackwardWeight, dy.rows(), dw.rows, dw.columns},
              [&] { backend_.LinearBackwardWeight(dy, x, dw); });
}
void ProfilingBackend::LinearBackwardBias(ConstMatrixView dy, MatrixView db) {
  Time("LinearBackwardBias", 0, [&] { backend_.LinearBackwardBias(dy, db); });
}

void ProfilingBackend::ActivationForward(Activation activation, ConstMatrixView x, MatrixView y) {
  Time("ActivationForward", 0, [&] { backend_.ActivationForward(activation, x, y); });
}
void ProfilingBackend::ActivationBackward(Activation activation, ConstMatrixView x,
                                          ConstMatrixView dy, MatrixView dx, bool accumulate) {
  Time("ActivationBackward", 0,
       [&] { backend_.ActivationBackward(activation, x, dy, dx, accumulate); });
}
void ProfilingBackend::GatedForward(Activation activation, ConstMatrixView x, MatrixView y) {
  Time("GatedForward", 0, [&] { backend_.GatedForward(activation, x, y); });
}
void ProfilingBackend::GatedBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy,
                                     MatrixView dx, bool accumulate) {
  Time("GatedBackward", 0, [&] { backend_.GatedBackward(activation, x, dy, dx, accumulate); });
}
void ProfilingBackend::DropoutAdd(ConstMatrixView x, ConstMatrixView residual,
                                  const DropoutSpec& dropout, MatrixView y) {
  Time("DropoutAdd", 0, [&] { backend_.DropoutAdd(x, residual, dropout, y); });
}
void ProfilingBackend::DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout,
                                       MatrixView dx, bool accumulate) {
  Time("DropoutBackward", 0, [&] { backend_.DropoutBackward(dy, dropout, dx, accumulate); });
}

void ProfilingBackend::LayerNormForward(ConstMatrixView x, ConstMatrixView gamma,
                                        ConstMatrixView beta, double epsilon, MatrixView y,
                                        MatrixView statistics) {
  Time("LayerNormForward", 0,
       [&] { backend_.LayerNormForward(x, gamma, beta, epsilon, y, statistics); });
}
void ProfilingBackend::LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x,
                                              ConstMatrixView gamma, ConstMatrixView statistics,
                                              MatrixView dx, bool accumulate) {
  Time("LayerNormBackwardInput", 0,
       [&] { backend_.LayerNormBackwardInput(dy, x, gamma, statistics, dx, accumulate); });
}
void ProfilingBackend::LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x,
                                               ConstMatrixView statistics, MatrixView dgamma,
                                               MatrixView dbeta) {
  Time("LayerNormBackwardWeight", 0,
       [&] { backend_.LayerNormBackwardWeight(dy, x, statistics, dgamma, dbeta); });
}

void ProfilingBackend::AttentionForward(const AttentionArguments& arguments, MatrixView y,
                                        MatrixView log_sums) {
  Time("AttentionForward", AttentionFlops(arguments),
       [&] { backend_.AttentionForward(arguments, y, log_sums); });
}
void ProfilingBackend::AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                                         ConstMatrixView log_sums, ConstMatrixView dy,
                                         MatrixView dq, MatrixView dk, MatrixView dv) {
  // Scores again, and the gradients of v, probabilities, q and k: five products for two.
  Time("AttentionBackward", 2.5 * AttentionFlops(arguments),
       [&] { backend_.AttentionBackward(arguments, y, log_sums, dy, dq, dk, dv); });
}
void ProfilingBackend::CachedAttention(const CachedAttentionArguments& arguments, MatrixView y) {
  Time("CachedAttention", 0, [&] { backend_.CachedAttention(arguments, y); });
}
void ProfilingBackend::AttentionWeights(const AttentionArguments& arguments, MatrixView weights) {
  Time("AttentionWeights", 0, [&] { backend_.AttentionWeights(arguments, weights); });
}

void ProfilingBackend::EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table,
                                        double scale, MatrixView y, bool accumulate) {
  Time("EmbeddingForward", 0, [&] { backend_.EmbeddingForward(ids, table, scale, y, accumulate); });
}
void ProfilingBackend::EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy,
                                         double scale, MatrixView dtable) {
  Time("EmbeddingBackward", 0, [&] { backend_.EmbeddingBackward(ids, dy, scale, dtable); });
}
void ProfilingBackend::GatherRows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView y) {
  Time("GatherRows", 0, [&] { backend_.GatherRows(x, rows, y); });
}

void ProfilingBackend::CrossEntropy(MatrixView logits, std::span<const int32_t> labels,
                                    double smoothing, double gradient_scale, bool with_gradient,
                                    MatrixView losses) {
  Time("CrossEntropy", 0, [&] {
    backend_.CrossEntropy(logits, labels, smoothing, gradient_scale, with_gradient, losses);
  });
}

double ProfilingBackend::SumOfSquares(ConstMatrixView x) {
  double sum = 0;
  Time("SumOfSquares", 0, [&] { sum = backend_.SumOfSquares(x); });
  return sum;
}
void ProfilingBackend::Adam(const AdamArguments& arguments) {
  Time("Adam", 0, [&] { backend_.Adam(arguments); });
}
void ProfilingBackend::MovingAverage(ConstMatrixView value, double decay, MatrixView average) {
  Time("MovingAverage", 0, [&] { backend_.MovingAverage(value, decay, average); });
}

void ProfilingBackend::LogSoftmax(MatrixView x) {
  Time("LogSoftmax", 0, [&] { backend_.LogSoftmax(x); });
}
void ProfilingBackend::TopK(ConstMatrixView x, int64_t k, MatrixView values,
                            std::span<int32_t> columns) {
  Time("TopK", 0, [&] { backend_.TopK(x, k, values, columns); });
}

}  // namespace heed
