// Selection of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void TopK(ConstMatrixView x, int64_t k, MatrixView values, std::span<int32_t> columns);

}  // namespace heed::reference
