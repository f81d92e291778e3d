#include <fmt/format.h>

#include <cmath>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

// Values, columns and their order must all be the same; `distinct` values make ties rare or common.
TEST_P(Parity, TopK) {
  for (const auto& [rows, columns] : kVocabularyShapes) {
    for (const int64_t padding : kPaddings) {
      for (const int64_t k : {1, 2, 5, 8, 16, 64, 257}) {
        for (const double distinct : {3.0, 1e6}) {
          if (k > columns) continue;
          SCOPED_TRACE(fmt::format("{} x {} padding {} k {}", rows, columns, padding, k));
          Twin x = Twin::Random(rows, columns, padding, 1);
          for (int64_t row = 0; row < rows; ++row) {
            for (int64_t column = 0; column < columns; ++column) {
              const double value = std::floor(x.Oracle(row, column) * distinct);
              x.Set(row, column, value < -0.9 * distinct ? -HUGE_VAL : value);
            }
          }
          Twin values(rows, k);
          std::vector<int32_t> from_subject(static_cast<size_t>(rows * k), -7);
          std::vector<int32_t> from_oracle = from_subject;
          OnBoth([&](Backend& backend, Side side) {
            backend.TopK(x.On(side), k, values.On(side),
                         side == Side::kSubject ? from_subject : from_oracle);
          });
          ExpectClose(values, {}, "values");
          EXPECT_EQ(from_subject, from_oracle);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heed
