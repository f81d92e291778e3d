#include "tests/backend/twin.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "util/philox.h"

namespace heed {
namespace {

constexpr int64_t kMargin = 65;  // elements before and after; odd, so that nothing is aligned
constexpr double kGuard = 12345;

}  // namespace

template <class Real>
GuardedMatrix<Real>::GuardedMatrix(int64_t rows, int64_t columns, int64_t padding)
    : rows_(rows),
      columns_(columns),
      stride_(columns + padding),
      buffer_(static_cast<size_t>(2 * kMargin + rows * stride_), static_cast<Real>(kGuard)) {
  for (int64_t row = 0; row < rows; ++row) {
    std::fill_n(view().template Row<Real>(row), columns, Real{0});
  }
}

template <class Real>
MatrixView GuardedMatrix<Real>::view() {
  if (buffer_.empty()) return {};
  return {buffer_.data() + kMargin, kDTypeOf<Real>, rows_, columns_, stride_};
}

template <class Real>
bool GuardedMatrix<Real>::GuardsIntact() const {
  for (int64_t i = 0; i < static_cast<int64_t>(buffer_.size()); ++i) {
    const int64_t offset = i - kMargin;
    const bool inside = offset >= 0 && offset < rows_ * stride_ && offset % stride_ < columns_;
    if (!inside && buffer_[static_cast<size_t>(i)] != static_cast<Real>(kGuard)) return false;
  }
  return true;
}

template class GuardedMatrix<float>;
template class GuardedMatrix<double>;

Twin::Twin(int64_t rows, int64_t columns, int64_t padding)
    : rows_(rows),
      columns_(columns),
      subject_(rows, columns, padding),
      oracle_(rows, columns, padding) {}

Twin Twin::Random(int64_t rows, int64_t columns, int64_t padding, uint64_t seed, double low,
                  double high) {
  Twin twin(rows, columns, padding);
  const RandomStream stream = {.seed = seed};
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const double uniform = RandomUniform(stream, static_cast<uint64_t>(row * columns + column));
      twin.Set(row, column, low + (high - low) * uniform);
    }
  }
  return twin;
}

void Twin::Set(int64_t row, int64_t column, double value) {
  const float rounded = static_cast<float>(value);
  subject_.view().Row<float>(row)[column] = rounded;
  oracle_.view().Row<double>(row)[column] = static_cast<double>(rounded);
}

void Twin::Share() {
  for (int64_t row = 0; row < rows_; ++row) {
    for (int64_t column = 0; column < columns_; ++column) Set(row, column, Oracle(row, column));
  }
}

void ExpectClose(Twin& values, const Tolerance& tolerance, const std::string& what) {
  EXPECT_TRUE(values.GuardsIntact()) << what << ": written outside of the matrix";
  double worst = 1;  // error over allowance
  std::string message;
  for (int64_t row = 0; row < values.rows(); ++row) {
    for (int64_t column = 0; column < values.columns(); ++column) {
      const double subject = static_cast<double>(values.Subject(row, column));
      const double oracle = values.Oracle(row, column);
      if (subject == oracle || (std::isnan(subject) && std::isnan(oracle))) continue;
      const double allowed = tolerance.absolute + tolerance.relative * std::abs(oracle);
      const double ratio = std::abs(subject - oracle) / allowed;
      if (ratio <= worst) continue;  // false for a NaN
      worst = ratio;
      message = fmt::format("{}[{}, {}] is {}, should be {} within {}", what, row, column, subject,
                            oracle, allowed);
      if (std::isnan(ratio)) break;
    }
  }
  EXPECT_TRUE(message.empty()) << message;
}

void ExpectSameZeros(Twin& values, const std::string& what) {
  for (int64_t row = 0; row < values.rows(); ++row) {
    for (int64_t column = 0; column < values.columns(); ++column) {
      ASSERT_EQ(values.Subject(row, column) == 0, values.Oracle(row, column) == 0)
          << what << "[" << row << ", " << column << "]";
    }
  }
}

}  // namespace heed
