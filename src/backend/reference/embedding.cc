#include "backend/reference/embedding.h"

#include <algorithm>

#include "backend/reference/store.h"

namespace heed::reference {

template <class Real>
void EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table, double scale,
                      MatrixView y, bool accumulate) {
  for (int64_t token = 0; token < y.rows; ++token) {
    const int32_t id = ids[static_cast<size_t>(token)];
    for (int64_t column = 0; column < y.columns; ++column) {
      const double value = id < 0 ? 0 : scale * static_cast<double>(table.Row<Real>(id)[column]);
      Store(value, accumulate, y.Row<Real>(token)[column]);
    }
  }
}

template <class Real>
void EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy, double scale,
                       MatrixView dtable) {
  for (int64_t token = 0; token < dy.rows(); ++token) {
    const int32_t id = ids[static_cast<size_t>(token)];
    if (id < 0) continue;
    for (int64_t column = 0; column < dy.columns(); ++column) {
      Store(scale * static_cast<double>(dy.Row<Real>(token)[column]), true,
            dtable.Row<Real>(id)[column]);
    }
  }
}

template <class Real>
void GatherRows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    std::copy_n(x.Row<Real>(rows[static_cast<size_t>(row)]), y.columns, y.Row<Real>(row));
  }
}

template void EmbeddingForward<float>(std::span<const int32_t>, ConstMatrixView, double, MatrixView,
                                      bool);
template void EmbeddingForward<double>(std::span<const int32_t>, ConstMatrixView, double,
                                       MatrixView, bool);
template void EmbeddingBackward<float>(std::span<const int32_t>, ConstMatrixView, double,
                                       MatrixView);
template void EmbeddingBackward<double>(std::span<const int32_t>, ConstMatrixView, double,
                                        MatrixView);
template void GatherRows<float>(ConstMatrixView, std::span<const int32_t>, MatrixView);
template void GatherRows<double>(ConstMatrixView, std::span<const int32_t>, MatrixView);

}  // namespace heed::reference
