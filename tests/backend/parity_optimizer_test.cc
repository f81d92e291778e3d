#include <fmt/format.h>

#include <array>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

TEST_P(Parity, SumOfSquares) {
  for (const int64_t n : kFlatSizes) {
    Twin x = Twin::Random(1, n, 0, 1, -100, 100);
    std::array<double, 2> sums = {};
    OnBoth([&](Backend& backend, Side side) {
      sums[side == Side::kSubject ? 0 : 1] = backend.SumOfSquares(x.On(side));
    });
    // The squares of floats are exact in double: only the order of the sum may differ.
    EXPECT_NEAR(sums[0], sums[1], 1e-12 * sums[1]) << n;
  }
}

TEST_P(Parity, SumOfSquaresDoesNotOverflowFloat) {
  Twin x = Twin::Random(1, 17, 0, 1, 1e30, 1e30);
  OnBoth([&](Backend& backend, Side side) {
    EXPECT_NEAR(backend.SumOfSquares(x.On(side)), 17e60, 1e55);
  });
}

// Adam and AdamW, at the first update, where the bias corrections are extreme, and at a late one.
TEST_P(Parity, Adam) {
  for (const int64_t n : kFlatSizes) {
    for (const int64_t update : {1, 2, 100000}) {
      for (const bool decoupled : {false, true}) {
        SCOPED_TRACE(fmt::format("n {} update {} decoupled {}", n, update, decoupled));
        constexpr double kLearningRate = 1e-2;
        Twin value = Twin::Random(1, n, 0, 1), gradient = Twin::Random(1, n, 0, 2);
        Twin first = Twin::Random(1, n, 0, 3), second = Twin::Random(1, n, 0, 4, 0.01, 1);
        OnBoth([&](Backend& backend, Side side) {
          backend.Adam({.value = value.On(side),
                        .gradient = gradient.On(side),
                        .first_moment = first.On(side),
                        .second_moment = second.On(side),
                        .learning_rate = kLearningRate,
                        .beta2 = 0.98,
                        .epsilon = 1e-8,
                        .weight_decay = decoupled ? 0.1 : 0,
                        .l2 = decoupled ? 0 : 0.01,
                        .update = update,
                        .gradient_factor = 0.7});
        });
        ExpectClose(first, {.absolute = 4 * kRounding, .relative = 4 * kRounding}, "first moment");
        ExpectClose(second, {.relative = 8 * kRounding}, "second moment");
        // The step, up to 30 learning rates here, has a few roundings; then that of the value.
        ExpectClose(value, {.absolute = kLearningRate * 1e-5, .relative = 4 * kRounding}, "value");
      }
    }
  }
}

TEST_P(Parity, AdamOfTinyGradients) {
  Twin value = Twin::Random(1, 33, 0, 1), gradient = Twin::Random(1, 33, 0, 2, -1e-15, 1e-15);
  Twin first(1, 33), second(1, 33);
  OnBoth([&](Backend& backend, Side side) {
    backend.Adam({.value = value.On(side),
                  .gradient = gradient.On(side),
                  .first_moment = first.On(side),
                  .second_moment = second.On(side),
                  .learning_rate = 0.1});
  });
  ExpectClose(value, {.absolute = 1e-6, .relative = 4 * kRounding}, "value");
}

TEST_P(Parity, MovingAverage) {
  for (const int64_t n : kFlatSizes) {
    Twin value = Twin::Random(1, n, 0, 1), average = Twin::Random(1, n, 0, 2);
    OnBoth([&](Backend& backend, Side side) {
      backend.MovingAverage(value.On(side), 0.9, average.On(side));
    });
    ExpectClose(average, {.absolute = 2 * kRounding, .relative = 2 * kRounding}, "average");
  }
}

}  // namespace
}  // namespace heed
