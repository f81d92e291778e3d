// ProfilingBackend: passes every kernel on to another backend and keeps count of what it costs.
//
// One thread calls kernels, one after the other, so the times of a step add up; what is missing
// from the whole is the time between kernels.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"

namespace heed {

// The products of a linear layer that a step asked for: [m, k] by [k, n].
struct LinearProduct {
  enum Kind : uint8_t { kForward, kBackwardInput, kBackwardWeight } kind = kForward;
  int64_t tokens = 0, out = 0, in = 0;

  double flops() const {
    return 2.0 * static_cast<double>(tokens) * static_cast<double>(out) * static_cast<double>(in);
  }
};

struct KernelCost {
  std::string kernel;
  int64_t calls = 0;
  double seconds = 0;
  double flops = 0;  // of matrix products, multiply and add counted apart; 0 for other kernels
};

class ProfilingBackend final : public Backend {
 public:
  // `backend` does the work and must outlive this one.
  explicit ProfilingBackend(Backend& backend) : backend_(backend) {}

  // The kernels called since the last Clear, the most costly first.
  std::vector<KernelCost> Costs() const;
  const std::vector<LinearProduct>& products() const { return products_; }
  void Clear();

  std::string Describe() const override { return backend_.Describe(); }
  DType real() const override { return backend_.real(); }
  Memory Allocate(int64_t bytes) override { return backend_.Allocate(bytes); }
  bool computes() const override { return backend_.computes(); }

  void Fill(MatrixView y, double value) override;
  void Copy(ConstMatrixView x, MatrixView y) override;
  void AddTo(ConstMatrixView x, MatrixView y) override;

  void Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b, Activation activation,
              MatrixView y) override;
  void LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w, MatrixView dx,
                           bool accumulate) override;
  void LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x, MatrixView dw) override;
  void LinearBackwardBias(ConstMatrixView dy, MatrixView db) override;

  void ActivationForward(Activation activation, ConstMatrixView x, MatrixView y) override;
  void ActivationBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy,
                          MatrixView dx, bool accumulate) override;
  void GatedForward(Activation activation, ConstMatrixView x, MatrixView y) override;
  void GatedBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy, MatrixView dx,
                     bool accumulate) override;
  void DropoutAdd(ConstMatrixView x, ConstMatrixView residual, const DropoutSpec& dropout,
                  MatrixView y) override;
  void DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout, MatrixView dx,
                       bool accumulate) override;

  void LayerNormForward(ConstMatrixView x, ConstMatrixView gamma, ConstMatrixView beta,
                        double epsilon, MatrixView y, MatrixView statistics) override;
  void LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView gamma,
                              ConstMatrixView statistics, MatrixView dx, bool accumulate) override;
  void LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView statistics,
                               MatrixView dgamma, MatrixView dbeta) override;

  void AttentionForward(const AttentionArguments& arguments, MatrixView y,
                        MatrixView log_sums) override;
  void AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                         ConstMatrixView log_sums, ConstMatrixView dy, MatrixView dq, MatrixView dk,
                         MatrixView dv) override;
  void CachedAttention(const CachedAttentionArguments& arguments, MatrixView y) override;
  void AttentionWeights(const AttentionArguments& arguments, MatrixView weights) override;

  void EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table, double scale,
                        MatrixView y, bool accumulate) override;
  void EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy, double scale,
                         MatrixView dtable) override;
  void GatherRows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView y) override;

  void CrossEntropy(MatrixView logits, std::span<const int32_t> labels, double smoothing,
                    double gradient_scale, bool with_gradient, MatrixView losses) override;

  double SumOfSquares(ConstMatrixView x) override;
  void Adam(const AdamArguments& arguments) override;
  void MovingAverage(ConstMatrixView value, double decay, MatrixView average) override;

  void LogSoftmax(MatrixView x) override;
  void TopK(ConstMatrixView x, int64_t k, MatrixView values, std::span<int32_t> columns) override;

 private:
  KernelCost& CostOf(const char* kernel);
  template <class Body>
  void Time(const char* kernel, double flops, Body&& body);
  template <class Body>
  void TimeProduct(const char* kernel, const LinearProduct& product, Body&& body);

  Backend& backend_;
  std::vector<KernelCost> costs_;
  std::vector<LinearProduct> products_;
};

}  // namespace heed
