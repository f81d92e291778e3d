// Small matrices written out in a test, and the fixture that runs it in float and in double.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "backend/backend.h"

namespace heed {

template <class Real>
class Literal {
 public:
  Literal(int64_t columns, std::vector<double> values)
      : columns_(columns), values_(values.begin(), values.end()) {}

  MatrixView view() {
    const auto rows = static_cast<int64_t>(values_.size()) / columns_;
    return {values_.data(), kDTypeOf<Real>, rows, columns_, columns_};
  }
  operator MatrixView() { return view(); }       // NOLINT(google-explicit-constructor)
  operator ConstMatrixView() { return view(); }  // NOLINT(google-explicit-constructor)
  const std::vector<Real>& values() const { return values_; }

 private:
  int64_t columns_;
  std::vector<Real> values_;
};

template <class Type>
class Reference : public testing::Test {
 protected:
  using Real = Type;
  using Matrix = Literal<Real>;

  // All values near the expected ones: some roundings of numbers up to 100.
  static void ExpectNear(const Matrix& matrix, const std::vector<double>& expected) {
    const double error = sizeof(Real) == 4 ? 4e-6 : 1e-13;
    const std::vector<double> values(matrix.values().begin(), matrix.values().end());
    EXPECT_THAT(values, testing::Pointwise(testing::DoubleNear(error), expected));
  }

  const std::unique_ptr<Backend> backend_ =
      MakeBackend({.name = "reference", .real = kDTypeOf<Real>});
};

using Reals = testing::Types<float, double>;

}  // namespace heed
