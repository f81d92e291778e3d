#include <fmt/format.h>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

constexpr Activation kActivations[] = {Activation::kNone, Activation::kRelu, Activation::kGelu,
                                       Activation::kSilu};

// Room for vectorised exp and erf that are good to about 1e-6; values reach 10, slopes 1.2.
constexpr Tolerance kTranscendental = {.absolute = 2e-6, .relative = 2e-6};
// A product or a sum or two.
constexpr Tolerance kFewRoundings = {.absolute = 2 * kRounding, .relative = 4 * kRounding};

std::string Describe(const RowShape& shape, int64_t padding, Activation activation) {
  return fmt::format("{} x {} padding {} activation {}", shape.rows, shape.columns, padding,
                     static_cast<int>(activation));
}

TEST_P(Parity, ActivationForwardAndBackward) {
  for (const RowShape& shape : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      for (const Activation activation : kActivations) {
        SCOPED_TRACE(Describe(shape, padding, activation));
        Twin x = Twin::Random(shape.rows, shape.columns, padding, 1, -10, 10);
        Twin dy = Twin::Random(shape.rows, shape.columns, padding, 2);
        Twin y(shape.rows, shape.columns, padding);
        Twin added = Twin::Random(shape.rows, shape.columns, padding, 3);
        Twin assigned = Twin::Random(shape.rows, shape.columns, padding, 3);
        Twin in_place = Twin::Random(shape.rows, shape.columns, padding, 2);  // as dy
        OnBoth([&](Backend& backend, Side side) {
          const auto backward = [&](Twin& above, Twin& dx, bool accumulate) {
            backend.ActivationBackward(activation, x.On(side), above.On(side), dx.On(side),
                                       accumulate);
          };
          backend.ActivationForward(activation, x.On(side), y.On(side));
          backward(dy, added, true);
          backward(dy, assigned, false);
          backward(in_place, in_place, false);
        });
        ExpectClose(y, kTranscendental, "y");
        ExpectClose(added, kTranscendental, "dx added");
        ExpectClose(assigned, kTranscendental, "dx assigned");
        ExpectClose(in_place, kTranscendental, "dx in place of dy");
      }
    }
  }
}

TEST_P(Parity, ActivationsAtTheirTails) {
  Twin x(1, 13);
  const double values[] = {-1e4, -200, -88, -40, -12, -6, 0, 6, 12, 40, 88, 200, 1e4};
  for (int64_t i = 0; i < 13; ++i) x.Set(0, i, values[i]);
  Twin ones = Twin::Random(1, 13, 0, 1, 1, 1);
  for (const Activation activation : kActivations) {
    Twin y(1, 13), dx(1, 13);
    OnBoth([&](Backend& backend, Side side) {
      backend.ActivationForward(activation, x.On(side), y.On(side));
      backend.ActivationBackward(activation, x.On(side), ones.On(side), dx.On(side), false);
    });
    ExpectClose(y, kTranscendental, fmt::format("activation {} y", static_cast<int>(activation)));
    ExpectClose(dx, kTranscendental, fmt::format("activation {} dx", static_cast<int>(activation)));
  }
}

TEST_P(Parity, ReluBackwardFromTheOutput) {
  Twin x = Twin::Random(33, 65, 0, 1);
  Twin dy = Twin::Random(33, 65, 0, 2);
  Twin y(33, 65), from_input(33, 65), from_output(33, 65);
  OnBoth([&](Backend& backend, Side side) {
    const auto backward = [&](Twin& input, Twin& dx) {
      backend.ActivationBackward(Activation::kRelu, input.On(side), dy.On(side), dx.On(side),
                                 false);
    };
    backend.ActivationForward(Activation::kRelu, x.On(side), y.On(side));
    backward(x, from_input);
    backward(y, from_output);
  });
  ExpectClose(from_input, {}, "from input");
  ExpectClose(from_output, {}, "from output");
  ExpectSameZeros(from_output, "from output");
}

TEST_P(Parity, GatedForwardAndBackward) {
  for (const RowShape& shape : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      for (const Activation activation : kActivations) {
        SCOPED_TRACE(Describe(shape, padding, activation));
        Twin x = Twin::Random(shape.rows, 2 * shape.columns, padding, 1, -3, 3);
        Twin dy = Twin::Random(shape.rows, shape.columns, padding, 2);
        Twin y(shape.rows, shape.columns, padding);
        Twin added = Twin::Random(shape.rows, 2 * shape.columns, padding, 3);
        Twin assigned = Twin::Random(shape.rows, 2 * shape.columns, padding, 3);
        OnBoth([&](Backend& backend, Side side) {
          const auto backward = [&](Twin& dx, bool accumulate) {
            backend.GatedBackward(activation, x.On(side), dy.On(side), dx.On(side), accumulate);
          };
          backend.GatedForward(activation, x.On(side), y.On(side));
          backward(added, true);
          backward(assigned, false);
        });
        ExpectClose(y, kTranscendental, "y");
        ExpectClose(added, kTranscendental, "dx added");
        ExpectClose(assigned, kTranscendental, "dx assigned");
      }
    }
  }
}

TEST_P(Parity, DropoutAdd) {
  for (const auto& [rows, columns] : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      for (const double rate : {0.0, 0.1, 0.5, 0.9}) {
        SCOPED_TRACE(fmt::format("{} x {} padding {} rate {}", rows, columns, padding, rate));
        const DropoutSpec dropout = {.rate = rate, .stream = {.seed = 7, .update = 3, .op = 11}};
        Twin x = Twin::Random(rows, columns, padding, 1);
        Twin residual = Twin::Random(rows, columns, 5 - padding, 2);
        Twin alone(rows, columns, padding), added(rows, columns, padding);
        Twin over_x = Twin::Random(rows, columns, padding, 1);
        Twin over_residual = Twin::Random(rows, columns, padding, 2);
        OnBoth([&](Backend& backend, Side side) {
          backend.DropoutAdd(x.On(side), {}, dropout, alone.On(side));
          backend.DropoutAdd(x.On(side), residual.On(side), dropout, added.On(side));
          backend.DropoutAdd(over_x.On(side), residual.On(side), dropout, over_x.On(side));
          backend.DropoutAdd(x.On(side), over_residual.On(side), dropout, over_residual.On(side));
        });
        ExpectSameZeros(alone, "alone");
        ExpectClose(alone, kFewRoundings, "alone");
        // The product, up to 10, is rounded before a sum that may cancel.
        const Tolerance sum = {.absolute = 20 * kRounding, .relative = 4 * kRounding};
        ExpectClose(added, sum, "added");
        ExpectClose(over_x, sum, "over x");
        ExpectClose(over_residual, sum, "over residual");
      }
    }
  }
}

TEST_P(Parity, DropoutBackward) {
  for (const auto& [rows, columns] : kRowShapes) {
    for (const int64_t padding : kPaddings) {
      for (const double rate : {0.0, 0.1, 0.9}) {
        SCOPED_TRACE(fmt::format("{} x {} padding {} rate {}", rows, columns, padding, rate));
        const DropoutSpec dropout = {.rate = rate, .stream = {.seed = 8, .update = 1, .op = 2}};
        Twin dy = Twin::Random(rows, columns, padding, 1);
        Twin assigned = Twin::Random(rows, columns, padding, 2);
        Twin added = Twin::Random(rows, columns, 5 - padding, 2);
        Twin in_place = Twin::Random(rows, columns, padding, 1);
        OnBoth([&](Backend& backend, Side side) {
          backend.DropoutBackward(dy.On(side), dropout, assigned.On(side), false);
          backend.DropoutBackward(dy.On(side), dropout, added.On(side), true);
          backend.DropoutBackward(in_place.On(side), dropout, in_place.On(side), false);
        });
        ExpectSameZeros(assigned, "assigned");
        ExpectSameZeros(in_place, "in place");
        ExpectClose(assigned, kFewRoundings, "assigned");
        ExpectClose(in_place, kFewRoundings, "in place");
        ExpectClose(added, {.absolute = 20 * kRounding, .relative = 4 * kRounding}, "added");
      }
    }
  }
}

}  // namespace
}  // namespace heed
