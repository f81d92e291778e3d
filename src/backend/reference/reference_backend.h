// ReferenceBackend: the oracle. Plain loops in the given type, sums in double, one thread. Slow,
// and meant to be obviously right; every other backend is compared with it.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"

namespace heed {

template <class Real>
class ReferenceBackend final : public Backend {
 public:
  std::string Describe() const override;
  DType real() const override { return kDTypeOf<Real>; }
  Memory Allocate(int64_t bytes) override { return Memory::Host(bytes); }

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
  std::vector<double> scores_;  // one row of attention; grows to the longest sentence
};

extern template class ReferenceBackend<float>;
extern template class ReferenceBackend<double>;

}  // namespace heed
