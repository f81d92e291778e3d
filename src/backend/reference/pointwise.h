// Activations, gates and dropout of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void ActivationForward(Activation activation, ConstMatrixView x, MatrixView y);
template <class Real>
void ActivationBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy, MatrixView dx,
                        bool accumulate);
template <class Real>
void GatedForward(Activation activation, ConstMatrixView x, MatrixView y);
template <class Real>
void GatedBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy, MatrixView dx,
                   bool accumulate);
template <class Real>
void DropoutAdd(ConstMatrixView x, ConstMatrixView residual, const DropoutSpec& dropout,
                MatrixView y);
template <class Real>
void DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout, MatrixView dx,
                     bool accumulate);

}  // namespace heed::reference
