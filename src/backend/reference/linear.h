// Linear maps of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b, Activation activation,
            MatrixView y);
template <class Real>
void LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w, MatrixView dx, bool accumulate);
template <class Real>
void LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x, MatrixView dw);
template <class Real>
void LinearBackwardBias(ConstMatrixView dy, MatrixView db);

}  // namespace heed::reference
