// The fast backend for CPUs: float32, AVX2 and FMA where the machine has them (chosen at run time),
// several threads. Contracts are in backend/backend.h.
//
// The member functions split work over threads (rows, columns, tiles or sentences, never a sum) and
// call the single-threaded kernels of kernels.h; matrix products are in gemm.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/gemm.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/scratch.h"
#include "util/thread_pool.h"

namespace heed {

class CpuBackend final : public Backend {
 public:
  // `num_threads` of 0 takes every core. `kernels` is for tests; by default the machine's best.
  explicit CpuBackend(int num_threads, const KernelTable& kernels = BestKernels());

  std::string Describe() const override;
  DType real() const override { return DType::kFloat32; }
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
  // body(begin, count, thread) for blocks of rows that hold about kBlockElements elements each.
  template <class Body>
  void ForRows(int64_t rows, int64_t columns, Body&& body) {
    const int64_t per_task = std::max(kBlockElements / std::max(columns, int64_t{1}), int64_t{1});
    pool_.Run((rows + per_task - 1) / per_task, [&](int64_t task, int thread) {
      const int64_t begin = task * per_task;
      body(begin, std::min(per_task, rows - begin), thread);
    });
  }
  template <class Body>
  void ForHeads(int64_t sentences, int64_t heads, Body&& body);
  // body(begin, count) for slices of the columns, for sums over rows: one slice per thread, in
  // whole cache lines. A column's sum does not depend on the slice it is in.
  template <class Body>
  void ForColumnSlices(int64_t columns, Body&& body) {
    constexpr int64_t kLine = 16, kNarrowest = 64;
    const int64_t slices = pool_.num_threads();
    const int64_t width =
        std::max(((columns + slices - 1) / slices + kLine - 1) / kLine * kLine, kNarrowest);
    pool_.Run((columns + width - 1) / width, [&](int64_t task, int) {
      const int64_t begin = task * width;
      body(begin, std::min(width, columns - begin));
    });
  }

  static constexpr int64_t kBlockElements = 16384;  // 64 KiB: far more work than waking a thread

  const KernelTable& kernels_;
  ThreadPool pool_;
  Gemm gemm_;
  std::vector<ScratchBlock> scratch_;  // one per thread
  std::vector<double> partial_sums_;
};

}  // namespace heed
