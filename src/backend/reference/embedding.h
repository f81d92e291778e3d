// Table look-ups of the reference backend; contracts in backend/backend.h.
#pragma once

#include "backend/backend.h"

namespace heed::reference {

template <class Real>
void EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table, double scale,
                      MatrixView y, bool accumulate);
template <class Real>
void EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy, double scale,
                       MatrixView dtable);
template <class Real>
void GatherRows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView y);

}  // namespace heed::reference
