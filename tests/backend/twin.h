// Matrices for comparing backends: each is held as float for the backend under test and as double
// for the oracle, with the same values, and guarded against writes outside of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/matrix_view.h"

namespace heed {

// A matrix whose rows are `padding` elements apart, inside a larger buffer full of a guard value.
template <class Real>
class GuardedMatrix {
 public:
  GuardedMatrix() = default;
  GuardedMatrix(int64_t rows, int64_t columns, int64_t padding);

  // The whole matrix; an empty view if default-constructed.
  MatrixView view();
  bool GuardsIntact() const;

 private:
  int64_t rows_ = 0, columns_ = 0, stride_ = 0;
  std::vector<Real> buffer_;
};

enum class Side { kSubject, kOracle };

class Twin {
 public:
  Twin() = default;  // an absent operand
  Twin(int64_t rows, int64_t columns, int64_t padding = 0);
  // Uniform in [low, high]; the same for the same seed.
  static Twin Random(int64_t rows, int64_t columns, int64_t padding, uint64_t seed, double low = -1,
                     double high = 1);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  MatrixView On(Side side) { return side == Side::kSubject ? subject_.view() : oracle_.view(); }
  // Makes the float values nearest to the oracle's the values of both: the output of one kernel
  // becomes the input of the next.
  void Share();
  float Subject(int64_t row, int64_t column) { return subject_.view().Row<float>(row)[column]; }
  double Oracle(int64_t row, int64_t column) { return oracle_.view().Row<double>(row)[column]; }
  void Set(int64_t row, int64_t column, double value);
  bool GuardsIntact() const { return subject_.GuardsIntact() && oracle_.GuardsIntact(); }

 private:
  int64_t rows_ = 0, columns_ = 0;
  GuardedMatrix<float> subject_;
  GuardedMatrix<double> oracle_;
};

// |subject - oracle| may be absolute + relative * |oracle|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

// Fails, naming the worst element, if a value is further off than it may be or if a guard changed.
// Equal infinities and two NaNs are equal.
void ExpectClose(Twin& values, const Tolerance& tolerance, const std::string& what);

// Fails unless the same elements are zero on both sides: dropout must draw the same bits.
void ExpectSameZeros(Twin& values, const std::string& what);

// Half the distance from 1 to the next float: the error of one rounded operation.
inline constexpr double kRounding = 1.0 / (1 << 24);

// For a sum of `terms` products of numbers in [-1, 1] made in float in any order: each addition
// rounds a partial sum, which is far below `terms` for random signs. A sum in half precision or one
// that misses a term is off by a hundred times as much.
inline Tolerance SumTolerance(int64_t terms) {
  return {.absolute = 2 * kRounding * static_cast<double>(terms + 8), .relative = 4 * kRounding};
}

}  // namespace heed
