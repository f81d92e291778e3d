// Softmax losses of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void CrossEntropy(MatrixView logits, std::span<const int32_t> labels, double smoothing,
                  double gradient_scale, bool with_gradient, MatrixView losses);
template <class Real>
void LogSoftmax(MatrixView x);

}  // namespace heed::reference
