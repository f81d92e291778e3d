#include <cmath>
#include <limits>

#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

template <class Real>
class ReferencePointwise : public Reference<Real> {
 protected:
  using Matrix = Literal<Real>;

  Matrix Forward(Activation activation) {
    Matrix x(3, {-1, 0, 1}), y(3, {9, 9, 9});
    this->backend_->ActivationForward(activation, x, y);
    return y;
  }
  Matrix Slope(Activation activation) {
    Matrix x(3, {-1, 0, 1}), dy(3, {1, 1, 1}), dx(3, {9, 9, 9});
    this->backend_->ActivationBackward(activation, x, dy, dx, false);
    return dx;
  }
};
TYPED_TEST_SUITE(ReferencePointwise, Reals);

// Phi(1) = 0.8413..., the normal density at 1 is 0.2419..., sigmoid(1) = 0.7310...
constexpr double kPhi = 0.8413447460685429, kDensity = 0.24197072451914337;
constexpr double kSigmoid = 0.7310585786300049;

TYPED_TEST(ReferencePointwise, ActivationsAtMinusOneZeroOne) {
  this->ExpectNear(this->Forward(Activation::kNone), {-1, 0, 1});
  this->ExpectNear(this->Forward(Activation::kRelu), {0, 0, 1});
  this->ExpectNear(this->Forward(Activation::kGelu), {kPhi - 1, 0, kPhi});
  this->ExpectNear(this->Forward(Activation::kSilu), {kSigmoid - 1, 0, kSigmoid});
}

TYPED_TEST(ReferencePointwise, SlopesAtMinusOneZeroOne) {
  this->ExpectNear(this->Slope(Activation::kNone), {1, 1, 1});
  this->ExpectNear(this->Slope(Activation::kRelu), {0, 0, 1});
  this->ExpectNear(this->Slope(Activation::kGelu), {1 - kPhi - kDensity, 0.5, kPhi + kDensity});
  this->ExpectNear(this->Slope(Activation::kSilu),
                   {(1 - kSigmoid) * (1 - kSigmoid), 0.5, kSigmoid * (2 - kSigmoid)});
}

TYPED_TEST(ReferencePointwise, ActivationGradientIsAddedOrMadeInPlace) {
  typename TestFixture::Matrix x(2, {-2, 2}), dy(2, {3, 5}), dx(2, {10, 20});
  this->backend_->ActivationBackward(Activation::kRelu, x, dy, dx, true);
  this->ExpectNear(dx, {10, 25});
  this->backend_->ActivationBackward(Activation::kRelu, x, dy, dy, false);
  this->ExpectNear(dy, {0, 5});
}

TYPED_TEST(ReferencePointwise, GateIsTheFirstHalf) {
  typename TestFixture::Matrix x(4, {1, -1, 3, 4}), y(2, {9, 9});
  this->backend_->GatedForward(Activation::kRelu, x, y);
  this->ExpectNear(y, {3, 0});
  this->backend_->GatedForward(Activation::kSilu, x, y);
  this->ExpectNear(y, {3 * kSigmoid, 4 * (kSigmoid - 1)});
}

TYPED_TEST(ReferencePointwise, GateGradients) {
  typename TestFixture::Matrix x(4, {1, -1, 3, 4}), dy(2, {2, 5}), dx(4, {1, 1, 1, 1});
  this->backend_->GatedBackward(Activation::kRelu, x, dy, dx, true);
  this->ExpectNear(dx, {7, 1, 3, 1});
  this->backend_->GatedBackward(Activation::kNone, x, dy, dx, false);
  this->ExpectNear(dx, {6, 20, 2, -5});
}

TYPED_TEST(ReferencePointwise, DropoutKeepsWhatItsBitsSayAndDividesIt) {
  const DropoutSpec dropout = {.rate = 0.25, .stream = {.seed = 1, .update = 2, .op = 3}};
  typename TestFixture::Matrix x(10, std::vector<double>(1000, 3)), y = x, dx = x;
  typename TestFixture::Matrix residual(10, std::vector<double>(1000, 0.5));
  this->backend_->DropoutAdd(x, residual, dropout, y);
  this->backend_->DropoutBackward(x, dropout, dx, true);
  std::vector<double> expected, expected_gradient;
  int dropped = 0;
  for (uint64_t element = 0; element < 1000; ++element) {
    const bool drops = RandomUniform(dropout.stream, element) < 0.25;
    dropped += drops;
    expected.push_back(drops ? 0.5 : 4.5);
    expected_gradient.push_back(drops ? 3 : 7);
  }
  this->ExpectNear(y, expected);
  this->ExpectNear(dx, expected_gradient);
  EXPECT_NEAR(dropped, 250, 41);  // three standard deviations
}

TYPED_TEST(ReferencePointwise, DropoutWorksInPlaceAndWithoutResidual) {
  const DropoutSpec dropout = {.rate = 0.5, .stream = {.seed = 4}};
  typename TestFixture::Matrix x(8, {1, 2, 3, 4, 5, 6, 7, 8}), y(8, std::vector<double>(8, 9));
  this->backend_->DropoutAdd(x, {}, dropout, y);
  typename TestFixture::Matrix gradient = x;
  this->backend_->DropoutAdd(x, {}, dropout, x);
  this->backend_->DropoutBackward(gradient, dropout, gradient, false);
  EXPECT_EQ(x.values(), y.values());
  EXPECT_EQ(gradient.values(), y.values());
  EXPECT_THAT(y.values(), testing::Contains(0));
  EXPECT_THAT(y.values(), testing::Contains(testing::Gt(0)));
}

}  // namespace
}  // namespace heed
