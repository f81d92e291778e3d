// Views of matrices, the currency of the kernels: a pointer, a type, rows, columns and a row
// stride. They own nothing. Row-major; columns are contiguous. A vector is a matrix of one row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.h"
#include "util/check.h"

namespace heed {

struct MatrixView {
  void* data = nullptr;
  DType type = DType::kFloat32;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t stride = 0;  // elements from one row to the next

  explicit operator bool() const { return data != nullptr; }
  int64_t size() const { return rows * columns; }
  bool contiguous() const { return stride == columns || rows <= 1; }

  // The first element of a row, as T. Throws InternalError if the type differs.
  template <class T>
  T* Row(int64_t row) const {
    HEED_CHECK(type == kDTypeOf<T>, "a {} matrix read as {}", Name(type), Name(kDTypeOf<T>));
    return static_cast<T*>(data) + row * stride;
  }

  // Columns [begin, begin + count) of all rows; rows [begin, begin + count).
  MatrixView Columns(int64_t begin, int64_t count) const {
    HEED_CHECK(begin >= 0 && count >= 0 && begin + count <= columns, "columns {}+{} of {}", begin,
               count, columns);
    return {static_cast<std::byte*>(data) + begin * SizeOf(type), type, rows, count, stride};
  }
  MatrixView Rows(int64_t begin, int64_t count) const {
    HEED_CHECK(begin >= 0 && count >= 0 && begin + count <= rows, "rows {}+{} of {}", begin, count,
               rows);
    return {static_cast<std::byte*>(data) + begin * stride * SizeOf(type), type, count, columns,
            stride};
  }
};

// The same, for reading only.
class ConstMatrixView {
 public:
  ConstMatrixView() = default;
  ConstMatrixView(const MatrixView& view) : view_(view) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return view_.data != nullptr; }
  const void* data() const { return view_.data; }
  DType type() const { return view_.type; }
  int64_t rows() const { return view_.rows; }
  int64_t columns() const { return view_.columns; }
  int64_t stride() const { return view_.stride; }
  int64_t size() const { return view_.size(); }
  bool contiguous() const { return view_.contiguous(); }
  template <class T>
  const T* Row(int64_t row) const {
    return view_.Row<T>(row);
  }
  ConstMatrixView Columns(int64_t begin, int64_t count) const {
    return view_.Columns(begin, count);
  }
  ConstMatrixView Rows(int64_t begin, int64_t count) const { return view_.Rows(begin, count); }

 private:
  MatrixView view_;
};

}  // namespace heed
