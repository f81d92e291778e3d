// MeasuringBackend: every kernel returns at once and memory is never backed, so a training step
// costs no time and no memory and yet tells how much of both kinds of buffer it would take.
#pragma once

#include <string>

#include "backend/backend.h"

namespace heed {

class MeasuringBackend final : public Backend {
 public:
  explicit MeasuringBackend(DType real) : real_(real) {}

  std::string Describe() const override;
  DType real() const override { return real_; }
  Memory Allocate(int64_t bytes) override { return Memory::Unbacked(bytes); }
  bool computes() const override { return false; }

  void Fill(MatrixView, double) override {}
  void Copy(ConstMatrixView, MatrixView) override {}
  void AddTo(ConstMatrixView, MatrixView) override {}

  void Linear(ConstMatrixView, ConstMatrixView, ConstMatrixView, Activation, MatrixView) override {}
  void LinearBackwardInput(ConstMatrixView, ConstMatrixView, MatrixView, bool) override {}
  void LinearBackwardWeight(ConstMatrixView, ConstMatrixView, MatrixView) override {}
  void LinearBackwardBias(ConstMatrixView, MatrixView) override {}

  void ActivationForward(Activation, ConstMatrixView, MatrixView) override {}
  void ActivationBackward(Activation, ConstMatrixView, ConstMatrixView, MatrixView, bool) override {
  }
  void GatedForward(Activation, ConstMatrixView, MatrixView) override {}
  void GatedBackward(Activation, ConstMatrixView, ConstMatrixView, MatrixView, bool) override {}
  void DropoutAdd(ConstMatrixView, ConstMatrixView, const DropoutSpec&, MatrixView) override {}
  void DropoutBackward(ConstMatrixView, const DropoutSpec&, MatrixView, bool) override {}

  void LayerNormForward(ConstMatrixView, ConstMatrixView, ConstMatrixView, double, MatrixView,
                        MatrixView) override {}
  void LayerNormBackwardInput(ConstMatrixView, ConstMatrixView, ConstMatrixView, ConstMatrixView,
                              MatrixView, bool) override {}
  void LayerNormBackwardWeight(ConstMatrixView, ConstMatrixView, ConstMatrixView, MatrixView,
                               MatrixView) override {}

  void AttentionForward(const AttentionArguments&, MatrixView, MatrixView) override {}
  void AttentionBackward(const AttentionArguments&, ConstMatrixView, ConstMatrixView,
                         ConstMatrixView, MatrixView, MatrixView, MatrixView) override {}
  void CachedAttention(const CachedAttentionArguments&, MatrixView) override {}
  void AttentionWeights(const AttentionArguments&, MatrixView) override {}

  void EmbeddingForward(std::span<const int32_t>, ConstMatrixView, double, MatrixView,
                        bool) override {}
  void EmbeddingBackward(std::span<const int32_t>, ConstMatrixView, double, MatrixView) override {}
  void GatherRows(ConstMatrixView, std::span<const int32_t>, MatrixView) override {}

  void CrossEntropy(MatrixView, std::span<const int32_t>, double, double, bool,
                    MatrixView) override {}

  double SumOfSquares(ConstMatrixView) override { return 0; }
  void Adam(const AdamArguments&) override {}
  void MovingAverage(ConstMatrixView, double, MatrixView) override {}

  void LogSoftmax(MatrixView) override {}
  void TopK(ConstMatrixView, int64_t, MatrixView, std::span<int32_t>) override {}

 private:
  DType real_;
};

}  // namespace heed
