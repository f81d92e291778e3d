#include "backend/reference/fills.h"

#include <algorithm>

namespace heed::reference {

template <class Real>
void Fill(MatrixView y, double value) {
  for (int64_t row = 0; row < y.rows; ++row) {
    std::fill_n(y.Row<Real>(row), y.columns, static_cast<Real>(value));
  }
}

template <class Real>
void Copy(ConstMatrixView x, MatrixView y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    std::copy_n(x.Row<Real>(row), y.columns, y.Row<Real>(row));
  }
}

template <class Real>
void AddTo(ConstMatrixView x, MatrixView y) {
  for (int64_t row = 0; row < y.rows; ++row) {
    const Real* from = x.Row<Real>(row);
    Real* to = y.Row<Real>(row);
    for (int64_t column = 0; column < y.columns; ++column) to[column] += from[column];
  }
}

template void Fill<float>(MatrixView, double);
template void Fill<double>(MatrixView, double);
template void Copy<float>(ConstMatrixView, MatrixView);
template void Copy<double>(ConstMatrixView, MatrixView);
template void AddTo<float>(ConstMatrixView, MatrixView);
template void AddTo<double>(ConstMatrixView, MatrixView);

}  // namespace heed::reference
