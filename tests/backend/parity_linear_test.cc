#include <fmt/format.h>

#include <limits>

#include "tests/backend/parity.h"
#include "tests/backend/parity_shapes.h"

namespace heed {
namespace {

TEST_P(Parity, Linear) {
  for (const auto& [tokens, in, out] : kLinearShapes) {
    for (const int64_t padding : kPaddings) {
      Twin x = Twin::Random(tokens, in, padding, 1);
      Twin w = Twin::Random(out, in, padding, 2);
      Twin b = Twin::Random(1, out, 0, 3);
      Twin no_bias;
      for (Twin* bias : {&b, &no_bias}) {
        for (const Activation activation : {Activation::kNone, Activation::kRelu}) {
          Twin y = Twin::Random(tokens, out, padding, 4);
          OnBoth([&](Backend& backend, Side side) {
            backend.Linear(x.On(side), w.On(side), bias->On(side), activation, y.On(side));
          });
          ExpectClose(y, SumTolerance(in),
                      fmt::format("Linear {} x {} -> {} padding {} bias {} activation {} y", tokens,
                                  in, out, padding, bias == &b, static_cast<int>(activation)));
        }
      }
    }
  }
}

TEST_P(Parity, LinearBackwardInput) {
  for (const auto& [tokens, in, out] : kLinearShapes) {
    for (const int64_t padding : kPaddings) {
      Twin dy = Twin::Random(tokens, out, padding, 1);
      Twin w = Twin::Random(out, in, padding, 2);
      for (const bool accumulate : {false, true}) {
        Twin dx = Twin::Random(tokens, in, padding, 3);
        OnBoth([&](Backend& backend, Side side) {
          backend.LinearBackwardInput(dy.On(side), w.On(side), dx.On(side), accumulate);
        });
        ExpectClose(dx, SumTolerance(out),
                    fmt::format("LinearBackwardInput {} x {} -> {} padding {} accumulate {} dx",
                                tokens, in, out, padding, accumulate));
      }
    }
  }
}

TEST_P(Parity, LinearBackwardWeightAndBias) {
  for (const auto& [tokens, in, out] : kLinearShapes) {
    for (const int64_t padding : kPaddings) {
      Twin dy = Twin::Random(tokens, out, padding, 1);
      Twin x = Twin::Random(tokens, in, padding, 2);
      Twin dw = Twin::Random(out, in, padding, 3);
      Twin db = Twin::Random(1, out, 0, 4);
      OnBoth([&](Backend& backend, Side side) {
        backend.LinearBackwardWeight(dy.On(side), x.On(side), dw.On(side));
        backend.LinearBackwardBias(dy.On(side), db.On(side));
      });
      const std::string shape =
          fmt::format("LinearBackward {} x {} -> {} padding {}", tokens, in, out, padding);
      ExpectClose(dw, SumTolerance(tokens), shape + " dw");
      ExpectClose(db, SumTolerance(tokens), shape + " db");
    }
  }
}

// Trainers must see a diverged activation; a ReLU that maps it to 0 would hide it.
TEST_P(Parity, LinearAndReluKeepNans) {
  Twin x = Twin::Random(5, 9, 0, 1);
  Twin w = Twin::Random(17, 9, 0, 2);
  x.Set(3, 4, std::numeric_limits<double>::quiet_NaN());
  Twin linear(5, 17), activated(5, 9);
  OnBoth([&](Backend& backend, Side side) {
    backend.Linear(x.On(side), w.On(side), {}, Activation::kRelu, linear.On(side));
    backend.ActivationForward(Activation::kRelu, x.On(side), activated.On(side));
  });
  ExpectClose(linear, SumTolerance(9), "linear");
  ExpectClose(activated, {}, "activated");
}

}  // namespace
}  // namespace heed
