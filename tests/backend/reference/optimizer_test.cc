#include <cmath>

#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

struct Settings {
  double epsilon = 0;
  double weight_decay = 0;
  double l2 = 0;
  double gradient_factor = 1;
};

template <class Real>
class ReferenceOptimizer : public Reference<Real> {
 protected:
  using Matrix = Literal<Real>;

  // One update of a single parameter; betas 0.9 and 0.98, learning rate 0.1.
  void Update(const Settings& settings, double gradient, int64_t number) {
    Matrix g(1, {gradient});
    this->backend_->Adam({.value = value_,
                          .gradient = g,
                          .first_moment = first_,
                          .second_moment = second_,
                          .learning_rate = 0.1,
                          .beta1 = 0.9,
                          .beta2 = 0.98,
                          .epsilon = settings.epsilon,
                          .weight_decay = settings.weight_decay,
                          .l2 = settings.l2,
                          .update = number,
                          .gradient_factor = settings.gradient_factor});
  }

  Matrix value_{1, {2}}, first_{1, {0}}, second_{1, {0}};
};
TYPED_TEST_SUITE(ReferenceOptimizer, Reals);

// Gradients 0.5 and -0.25. After bias correction the first step is
// 0.5 / sqrt(0.25); the second has moments 0.02 / 0.19 and 0.00615 / 0.0396.
TYPED_TEST(ReferenceOptimizer, AdamsFirstTwoUpdates) {
  this->Update({}, 0.5, 1);
  this->ExpectNear(this->first_, {0.05});
  this->ExpectNear(this->second_, {0.005});
  this->ExpectNear(this->value_, {1.9});
  this->Update({}, -0.25, 2);
  this->ExpectNear(this->first_, {0.02});
  this->ExpectNear(this->second_, {0.00615});
  this->ExpectNear(this->value_, {1.9 - 0.1 * (0.02 / 0.19) / std::sqrt(0.00615 / 0.0396)});
}

TYPED_TEST(ReferenceOptimizer, EpsilonIsAddedOutsideOfTheRoot) {
  this->Update({.epsilon = 0.5}, 0.5, 1);
  this->ExpectNear(this->value_, {2 - 0.1 * 0.5 / (0.5 + 0.5)});
}

TYPED_TEST(ReferenceOptimizer, DecoupledDecayLeavesTheMomentsAlone) {
  this->Update({.epsilon = 1e-9, .weight_decay = 0.3}, 0, 1);
  this->ExpectNear(this->value_, {2 - 0.1 * 0.3 * 2});
  this->ExpectNear(this->first_, {0});
}

TYPED_TEST(ReferenceOptimizer, DecayUsesTheValueBeforeTheStep) {
  this->Update({.weight_decay = 0.3}, 0.5, 1);
  this->ExpectNear(this->value_, {2 - 0.1 * 0.3 * 2 - 0.1});
}

TYPED_TEST(ReferenceOptimizer, L2IsPartOfTheGradient) {
  this->Update({.l2 = 0.3}, 0.2, 1);
  this->ExpectNear(this->first_, {0.1 * (0.2 + 0.3 * 2)});
  this->ExpectNear(this->second_, {0.02 * 0.8 * 0.8});
  this->ExpectNear(this->value_, {1.9});
}

TYPED_TEST(ReferenceOptimizer, GradientsAreMultipliedByTheFactorBeforeL2) {
  this->Update({.l2 = 0.3, .gradient_factor = 0.5}, 0.2, 1);
  this->ExpectNear(this->first_, {0.1 * (0.1 + 0.3 * 2)});
}

TYPED_TEST(ReferenceOptimizer, SumOfSquares) {
  typename TestFixture::Matrix x(3, {1, -2, 3});
  EXPECT_EQ(this->backend_->SumOfSquares(x), 14);
  typename TestFixture::Matrix huge(2, {1e30, 1e30});
  EXPECT_NEAR(this->backend_->SumOfSquares(huge), 2e60, 1e54);
}

TYPED_TEST(ReferenceOptimizer, MovingAverage) {
  typename TestFixture::Matrix value(2, {20, -1}), average(2, {10, 1});
  this->backend_->MovingAverage(value, 0.9, average);
  this->ExpectNear(average, {11, 0.8});
}

}  // namespace
}  // namespace heed
