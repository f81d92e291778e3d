#include "backend/reference/reference_backend.h"

#include <fmt/format.h>

#include "backend/reference/attention.h"
#include "backend/reference/decoding.h"
#include "backend/reference/embedding.h"
#include "backend/reference/fills.h"
#include "backend/reference/linear.h"
#include "backend/reference/loss.h"
#include "backend/reference/norm.h"
#include "backend/reference/optimizer.h"
#include "backend/reference/pointwise.h"

namespace heed {

template <class Real>
std::string ReferenceBackend<Real>::Describe() const {
  return fmt::format("reference ({}, plain loops, 1 thread)", Name(real()));
}

template <class Real>
void ReferenceBackend<Real>::Fill(MatrixView y, double value) {
  reference::Fill<Real>(y, value);
}

template <class Real>
void ReferenceBackend<Real>::Copy(ConstMatrixView x, MatrixView y) {
  reference::Copy<Real>(x, y);
}

template <class Real>
void ReferenceBackend<Real>::AddTo(ConstMatrixView x, MatrixView y) {
  reference::AddTo<Real>(x, y);
}

template <class Real>
void ReferenceBackend<Real>::Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b,
                                    Activation activation, MatrixView y) {
  reference::Linear<Real>(x, w, b, activation, y);
}

template <class Real>
void ReferenceBackend<Real>::LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w,
                                                 MatrixView dx, bool accumulate) {
  reference::LinearBackwardInput<Real>(dy, w, dx, accumulate);
}

template <class Real>
void ReferenceBackend<Real>::LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x,
                                                  MatrixView dw) {
  reference::LinearBackwardWeight<Real>(dy, x, dw);
}

template <class Real>
void ReferenceBackend<Real>::LinearBackwardBias(ConstMatrixView dy, MatrixView db) {
  reference::LinearBackwardBias<Real>(dy, db);
}

template <class Real>
void ReferenceBackend<Real>::ActivationForward(Activation activation, ConstMatrixView x,
                                               MatrixView y) {
  reference::ActivationForward<Real>(activation, x, y);
}

template <class Real>
void ReferenceBackend<Real>::ActivationBackward(Activation activation, ConstMatrixView x,
                                                ConstMatrixView dy, MatrixView dx,
                                                bool accumulate) {
  reference::ActivationBackward<Real>(activation, x, dy, dx, accumulate);
}

template <class Real>
void ReferenceBackend<Real>::GatedForward(Activation activation, ConstMatrixView x, MatrixView y) {
  reference::GatedForward<Real>(activation, x, y);
}

template <class Real>
void ReferenceBackend<Real>::GatedBackward(Activation activation, ConstMatrixView x,
                                           ConstMatrixView dy, MatrixView dx, bool accumulate) {
  reference::GatedBackward<Real>(activation, x, dy, dx, accumulate);
}

template <class Real>
void ReferenceBackend<Real>::DropoutAdd(ConstMatrixView x, ConstMatrixView residual,
                                        const DropoutSpec& dropout, MatrixView y) {
  reference::DropoutAdd<Real>(x, residual, dropout, y);
}

template <class Real>
void ReferenceBackend<Real>::DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout,
                                             MatrixView dx, bool accumulate) {
  reference::DropoutBackward<Real>(dy, dropout, dx, accumulate);
}

template <class Real>
void ReferenceBackend<Real>::LayerNormForward(ConstMatrixView x, ConstMatrixView gamma,
                                              ConstMatrixView beta, double epsilon, MatrixView y,
                                              MatrixView statistics) {
  reference::LayerNormForward<Real>(x, gamma, beta, epsilon, y, statistics);
}

template <class Real>
void ReferenceBackend<Real>::LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x,
                                                    ConstMatrixView gamma,
                                                    ConstMatrixView statistics, MatrixView dx,
                                                    bool accumulate) {
  reference::LayerNormBackwardInput<Real>(dy, x, gamma, statistics, dx, accumulate);
}

template <class Real>
void ReferenceBackend<Real>::LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x,
                                                     ConstMatrixView statistics, MatrixView dgamma,
                                                     MatrixView dbeta) {
  reference::LayerNormBackwardWeight<Real>(dy, x, statistics, dgamma, dbeta);
}

template <class Real>
void ReferenceBackend<Real>::AttentionForward(const AttentionArguments& arguments, MatrixView y,
                                              MatrixView log_sums) {
  reference::AttentionForward<Real>(arguments, y, log_sums, scores_);
}

template <class Real>
void ReferenceBackend<Real>::AttentionBackward(const AttentionArguments& arguments,
                                               ConstMatrixView y, ConstMatrixView log_sums,
                                               ConstMatrixView dy, MatrixView dq, MatrixView dk,
                                               MatrixView dv) {
  reference::AttentionBackward<Real>(arguments, y, log_sums, dy, dq, dk, dv);
}

template <class Real>
void ReferenceBackend<Real>::CachedAttention(const CachedAttentionArguments& arguments,
                                             MatrixView y) {
  reference::CachedAttention<Real>(arguments, y, scores_);
}

template <class Real>
void ReferenceBackend<Real>::AttentionWeights(const AttentionArguments& arguments,
                                              MatrixView weights) {
  reference::AttentionWeights<Real>(arguments, weights, scores_);
}

template <class Real>
void ReferenceBackend<Real>::EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table,
                                              double scale, MatrixView y, bool accumulate) {
  reference::EmbeddingForward<Real>(ids, table, scale, y, accumulate);
}

template <class Real>
void ReferenceBackend<Real>::EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy,
                                               double scale, MatrixView dtable) {
  reference::EmbeddingBackward<Real>(ids, dy, scale, dtable);
}

template <class Real>
void ReferenceBackend<Real>::GatherRows(ConstMatrixView x, std::span<const int32_t> rows,
                                        MatrixView y) {
  reference::GatherRows<Real>(x, rows, y);
}

template <class Real>
void ReferenceBackend<Real>::CrossEntropy(MatrixView logits, std::span<const int32_t> labels,
                                          double smoothing, double gradient_scale,
                                          bool with_gradient, MatrixView losses) {
  reference::CrossEntropy<Real>(logits, labels, smoothing, gradient_scale, with_gradient, losses);
}

template <class Real>
double ReferenceBackend<Real>::SumOfSquares(ConstMatrixView x) {
  return reference::SumOfSquares<Real>(x);
}

template <class Real>
void ReferenceBackend<Real>::Adam(const AdamArguments& arguments) {
  reference::Adam<Real>(arguments);
}

template <class Real>
void ReferenceBackend<Real>::MovingAverage(ConstMatrixView value, double decay,
                                           MatrixView average) {
  reference::MovingAverage<Real>(value, decay, average);
}

template <class Real>
void ReferenceBackend<Real>::LogSoftmax(MatrixView x) {
  reference::LogSoftmax<Real>(x);
}

template <class Real>
void ReferenceBackend<Real>::TopK(ConstMatrixView x, int64_t k, MatrixView values,
                                  std::span<int32_t> columns) {
  reference::TopK<Real>(x, k, values, columns);
}

template class ReferenceBackend<float>;
template class ReferenceBackend<double>;

}  // namespace heed
