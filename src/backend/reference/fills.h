// Fills, copies and sums of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void Fill(MatrixView y, double value);
template <class Real>
void Copy(ConstMatrixView x, MatrixView y);
template <class Real>
void AddTo(ConstMatrixView x, MatrixView y);

}  // namespace heed::reference
