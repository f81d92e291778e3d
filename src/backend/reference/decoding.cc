#include "backend/reference/decoding.h"

namespace heed::reference {
namespace {

// The column of the element that follows column `previous` in the order (value descending, column
// ascending); the first of all if `previous` is -1. -1 if there is none.
template <class Real>
int64_t NextInOrder(const Real* x, int64_t num_columns, int64_t previous) {
  int64_t best = -1;
  for (int64_t column = 0; column < num_columns; ++column) {
    const bool follows =
        previous < 0 || x[column] < x[previous] || (x[column] == x[previous] && column > previous);
    if (follows && (best < 0 || x[column] > x[best])) best = column;
  }
  return best;
}

}  // namespace

template <class Real>
void TopK(ConstMatrixView x, int64_t k, MatrixView values, std::span<int32_t> columns) {
  HEED_CHECK(k <= x.columns(), "the {} largest of {} elements", k, x.columns());
  for (int64_t row = 0; row < x.rows(); ++row) {
    const Real* x_row = x.Row<Real>(row);
    int64_t column = -1;
    for (int64_t rank = 0; rank < k; ++rank) {
      column = NextInOrder(x_row, x.columns(), column);
      HEED_CHECK(column >= 0, "row {} holds a NaN", row);
      values.Row<Real>(row)[rank] = x_row[column];
      columns[static_cast<size_t>(row * k + rank)] = static_cast<int32_t>(column);
    }
  }
}

template void TopK<float>(ConstMatrixView, int64_t, MatrixView, std::span<int32_t>);
template void TopK<double>(ConstMatrixView, int64_t, MatrixView, std::span<int32_t>);

}  // namespace heed::reference
