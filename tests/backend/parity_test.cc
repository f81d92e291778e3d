// The parity suite's instances, and its fills, copies and sums. The other kernel families have
// files of their own: parity_*_test.cc.
#include "tests/backend/parity.h"

#include <fmt/format.h>
#include <gtest/gtest-spi.h>

#include <cmath>
#include <limits>

#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

INSTANTIATE_TEST_SUITE_P(Backends, Parity, SubjectNames(), SubjectName);

TEST_P(Parity, FillCopyAddTo) {
  for (const auto& [rows, columns] : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      SCOPED_TRACE(fmt::format("{} x {} padding {}", rows, columns, padding));
      Twin x = Twin::Random(rows, columns, padding, 1);
      Twin sum = Twin::Random(rows, columns, 5 - padding, 2);
      Twin copy(rows, columns, padding), filled(rows, columns, padding);
      OnBoth([&](Backend& backend, Side side) {
        backend.AddTo(x.On(side), sum.On(side));
        backend.Copy(x.On(side), copy.On(side));
        backend.Fill(filled.On(side), 0.75);
      });
      ExpectClose(sum, {.relative = 2 * kRounding}, "sum");
      ExpectClose(copy, {}, "copy");
      ExpectClose(filled, {}, "filled");
    }
  }
}

// The comparison itself must be able to fail.
TEST(ExpectClose, SeesWrongValuesNansAndWritesOutside) {
  Twin x(2, 3, 1);
  x.On(Side::kSubject).Row<float>(1)[2] = 1e-3F;
  EXPECT_NONFATAL_FAILURE(ExpectClose(x, {.absolute = 1e-4}, "x"), "x[1, 2] is 0.001");
  ExpectClose(x, {.absolute = 1e-2}, "x");
  x.On(Side::kSubject).Row<float>(1)[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NONFATAL_FAILURE(ExpectClose(x, {.absolute = 1e-2}, "x"), "nan");
  x.Set(1, 2, 0);
  x.On(Side::kSubject).Row<float>(0)[3] = 0;
  EXPECT_NONFATAL_FAILURE(ExpectClose(x, {}, "x"), "outside");
}

}  // namespace
}  // namespace heed
