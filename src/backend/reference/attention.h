// Attention of the reference backend; contracts in backend/backend.h.
#pragma once

#include <vector>

#include "backend/backend.h"

namespace heed::reference {

// `scratch` is one row of scores; it grows to the longest sentence and is then kept.
template <class Real>
void AttentionForward(const AttentionArguments& arguments, MatrixView y, MatrixView log_sums,
                      std::vector<double>& scratch);
template <class Real>
void AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                       ConstMatrixView log_sums, ConstMatrixView dy, MatrixView dq, MatrixView dk,
                       MatrixView dv);
template <class Real>
void CachedAttention(const CachedAttentionArguments& arguments, MatrixView y,
                     std::vector<double>& scratch);
template <class Real>
void AttentionWeights(const AttentionArguments& arguments, MatrixView weights,
                      std::vector<double>& scratch);

}  // namespace heed::reference
