#include <fmt/format.h>

#include <limits>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

// Every third row is a spare one.
std::vector<int32_t> Labels(const RowShape& shape) {
  std::vector<int32_t> labels;
  for (int64_t row = 0; row < shape.rows; ++row) {
    labels.push_back(row % 3 == 2 ? -1 : static_cast<int32_t>(row * 7 % shape.columns));
  }
  return labels;
}

// Losses are near 9 nats, where a float is good to 5e-7; the sum over the vocabulary may be in
// float too. A probability has the relative error of exp.
TEST_P(Parity, CrossEntropy) {
  for (const RowShape& shape : kVocabularyShapes) {
    for (const int64_t padding : kPaddings) {
      for (const double smoothing : {0.0, 0.1}) {
        for (const bool with_gradient : {false, true}) {
          SCOPED_TRACE(fmt::format("{} x {} padding {} smoothing {} gradient {}", shape.rows,
                                   shape.columns, padding, smoothing, with_gradient));
          constexpr double kScale = 0.25;
          Twin logits = Twin::Random(shape.rows, shape.columns, padding, 1, -5, 5);
          Twin losses(shape.rows, 2);
          const std::vector<int32_t> labels = Labels(shape);
          OnBoth([&](Backend& backend, Side side) {
            backend.CrossEntropy(logits.On(side), labels, smoothing, kScale, with_gradient,
                                 losses.On(side));
          });
          ExpectClose(losses, {.absolute = 4e-6, .relative = 1e-6}, "losses");
          if (with_gradient) {
            ExpectClose(logits, {.absolute = kScale * 5e-7, .relative = 3e-6}, "gradient");
          }
          EXPECT_TRUE(logits.GuardsIntact());
        }
      }
    }
  }
}

// Logits far from zero overflow an exp that does not subtract the largest first; a float is only
// good to 1e-3 there, which the oracle sees too, since its input has the same rounding.
TEST_P(Parity, CrossEntropyOfHugeLogits) {
  for (const double center : {-1e4, 1e4}) {
    Twin logits = Twin::Random(5, 33, 0, 1, center - 5, center + 5);
    Twin losses(5, 2);
    const std::vector<int32_t> labels = {0, 32, -1, 7, 16};
    OnBoth([&](Backend& backend, Side side) {
      backend.CrossEntropy(logits.On(side), labels, 0.1, 1, true, losses.On(side));
    });
    // The smoothed loss needs the mean of the logits, 1e4, which float rounds to 1e-3.
    ExpectClose(losses, {.absolute = 3e-3}, "losses");
    ExpectClose(logits, {.absolute = 2e-3}, "gradient");
  }
}

TEST_P(Parity, LogSoftmax) {
  for (const RowShape& shape : kVocabularyShapes) {
    for (const int64_t padding : kPaddings) {
      for (const double center : {0.0, 1e4}) {
        SCOPED_TRACE(fmt::format("{} x {} padding {} center {}", shape.rows, shape.columns, padding,
                                 center));
        Twin x = Twin::Random(shape.rows, shape.columns, padding, 1, center - 5, center + 5);
        OnBoth([&](Backend& backend, Side side) { backend.LogSoftmax(x.On(side)); });
        // The sum is in double; what remains is the last subtraction, of at most 20 from at
        // most 20.
        ExpectClose(x, {.absolute = 3e-6, .relative = 4 * kRounding}, "x");
      }
    }
  }
}

// Decoding forbids words by a logit of minus infinity.
TEST_P(Parity, LogSoftmaxOfForbiddenEntries) {
  Twin x = Twin::Random(3, 17, 0, 1, -5, 5);
  for (const int64_t column : {0, 3, 16}) {
    x.Set(1, column, -std::numeric_limits<double>::infinity());
  }
  OnBoth([&](Backend& backend, Side side) { backend.LogSoftmax(x.On(side)); });
  ExpectClose(x, {.absolute = 3e-6, .relative = 4 * kRounding}, "x");
}

}  // namespace
}  // namespace heed
