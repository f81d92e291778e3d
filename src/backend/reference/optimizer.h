// Parameter updates of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
double SumOfSquares(ConstMatrixView x);
template <class Real>
void Adam(const AdamArguments& arguments);
template <class Real>
void MovingAverage(ConstMatrixView value, double decay, MatrixView average);

}  // namespace heed::reference
