#include <fmt/format.h>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

constexpr double kEpsilon = 1e-5;

struct Norm {
  Twin x, gamma, beta, y, statistics;
};

Norm MakeNorm(const RowShape& shape, int64_t padding, double center) {
  return {.x = Twin::Random(shape.rows, shape.columns, padding, 1, center - 1, center + 1),
          .gamma = Twin::Random(1, shape.columns, 0, 2, 0.5, 1.5),
          .beta = Twin::Random(1, shape.columns, 0, 3),
          .y = Twin(shape.rows, shape.columns, padding),
          .statistics = Twin(shape.rows, 2)};
}

void Forward(Backend& backend, Side side, Norm& norm) {
  backend.LayerNormForward(norm.x.On(side), norm.gamma.On(side), norm.beta.On(side), kEpsilon,
                           norm.y.On(side), norm.statistics.On(side));
}

// A mean rounded to float is off by 6e-8; a row with one column or with nearly equal ones has an
// inverse deviation of up to 316 (epsilon 1e-5), which multiplies that.
TEST_P(Parity, LayerNormForward) {
  for (const RowShape& shape : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      SCOPED_TRACE(fmt::format("{} x {} padding {}", shape.rows, shape.columns, padding));
      Norm norm = MakeNorm(shape, padding, 0);
      OnBoth([&](Backend& backend, Side side) { Forward(backend, side, norm); });
      const double largest = shape.columns < 4 ? 316 : 8;
      ExpectClose(norm.y, {.absolute = 16 * kRounding * largest, .relative = 1e-5}, "y");
      ExpectClose(norm.statistics, {.absolute = 4 * kRounding, .relative = 1e-5}, "statistics");
    }
  }
}

// The variance is that of the distances from the mean: E[x^2] - E[x]^2 in float would lose a tenth
// of it here. The mean itself may be off by a rounding of 1000, 6e-5.
TEST_P(Parity, LayerNormOfRowsFarFromZero) {
  Norm norm = MakeNorm({17, 129}, 0, 1000);
  OnBoth([&](Backend& backend, Side side) { Forward(backend, side, norm); });
  ExpectClose(norm.y, {.absolute = 1e-3, .relative = 1e-3}, "y");
  ExpectClose(norm.statistics, {.absolute = 1e-4, .relative = 1e-4}, "statistics");
}

TEST_P(Parity, LayerNormOfConstantRows) {
  Norm norm = MakeNorm({3, 65}, 0, 0);
  norm.x = Twin::Random(3, 65, 0, 1, 0.3, 0.3);
  OnBoth([&](Backend& backend, Side side) { Forward(backend, side, norm); });
  ExpectClose(norm.y, {.absolute = 16 * kRounding * 316}, "y");
}

TEST_P(Parity, LayerNormBackward) {
  for (const RowShape& shape : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      SCOPED_TRACE(fmt::format("{} x {} padding {}", shape.rows, shape.columns, padding));
      Norm norm = MakeNorm(shape, padding, 0);
      OnBoth([&](Backend& backend, Side side) { Forward(backend, side, norm); });
      norm.statistics.Share();
      Twin dy = Twin::Random(shape.rows, shape.columns, padding, 4);
      Twin assigned = Twin::Random(shape.rows, shape.columns, padding, 5);
      Twin added = Twin::Random(shape.rows, shape.columns, padding, 5);
      Twin dgamma = Twin::Random(1, shape.columns, 0, 6);
      Twin dbeta = Twin::Random(1, shape.columns, 0, 7);
      OnBoth([&](Backend& backend, Side side) {
        const auto backward = [&](Twin& dx, bool accumulate) {
          backend.LayerNormBackwardInput(dy.On(side), norm.x.On(side), norm.gamma.On(side),
                                         norm.statistics.On(side), dx.On(side), accumulate);
        };
        backward(assigned, false);
        backward(added, true);
        backend.LayerNormBackwardWeight(dy.On(side), norm.x.On(side), norm.statistics.On(side),
                                        dgamma.On(side), dbeta.On(side));
      });
      // Differences of numbers of size 1.5 that cancel in narrow rows, times the inverse deviation.
      const double largest = shape.columns < 4 ? 316 : 8;
      const Tolerance input = {.absolute = 8 * kRounding * largest, .relative = 1e-5};
      ExpectClose(assigned, input, "dx assigned");
      ExpectClose(added, input, "dx added");
      ExpectClose(dgamma, {.absolute = 2 * SumTolerance(shape.rows).absolute, .relative = 1e-5},
                  "dgamma");
      ExpectClose(dbeta, SumTolerance(shape.rows), "dbeta");
    }
  }
}

}  // namespace
}  // namespace heed
