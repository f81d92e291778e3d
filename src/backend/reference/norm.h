// Layer normalisation of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void LayerNormForward(ConstMatrixView x, ConstMatrixView gamma, ConstMatrixView beta,
                      double epsilon, MatrixView y, MatrixView statistics);
template <class Real>
void LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView gamma,
                            ConstMatrixView statistics, MatrixView dx, bool accumulate);
template <class Real>
void LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView statistics,
                             MatrixView dgamma, MatrixView dbeta);

}  // namespace heed::reference
