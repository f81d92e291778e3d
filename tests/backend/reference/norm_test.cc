#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

// x has mean 1 and variance 2; with an epsilon of 2 the inverse deviation is 1 / 2 and the
// normalised values are -1/2, -1/2, 1.
template <class Real>
class ReferenceNorm : public Reference<Real> {
 protected:
  using Matrix = Literal<Real>;
  Matrix x_{3, {0, 0, 3}}, gamma_{3, {1, 2, 3}}, beta_{3, {10, 20, 30}}, statistics_{2, {1, 0.5}};
};
TYPED_TEST_SUITE(ReferenceNorm, Reals);

TYPED_TEST(ReferenceNorm, NormalisesEachRow) {
  typename TestFixture::Matrix x(3, {0, 0, 3, 100, 103, 100}), y(3, std::vector<double>(6, 9));
  typename TestFixture::Matrix statistics(2, {9, 9, 9, 9});
  this->backend_->LayerNormForward(x, this->gamma_, this->beta_, 2, y, statistics);
  this->ExpectNear(y, {9.5, 19, 33, 9.5, 22, 28.5});
  this->ExpectNear(statistics, {1, 0.5, 101, 0.5});
}

// dx = 1/2 (g - mean(g) - normal mean(g normal)) with g = (1, 0, 0): means 1/3 and -1/6.
TYPED_TEST(ReferenceNorm, InputGradientIsAssignedOrAdded) {
  typename TestFixture::Matrix dy(3, {1, 0, 0}), dx(3, {1, 1, 1});
  this->backend_->LayerNormBackwardInput(dy, this->x_, this->gamma_, this->statistics_, dx, true);
  this->ExpectNear(dx, {1 + 7.0 / 24, 1 - 5.0 / 24, 1 - 2.0 / 24});
  this->backend_->LayerNormBackwardInput(dy, this->x_, this->gamma_, this->statistics_, dx, false);
  this->ExpectNear(dx, {7.0 / 24, -5.0 / 24, -2.0 / 24});
}

TYPED_TEST(ReferenceNorm, InputGradientCountsGamma) {
  typename TestFixture::Matrix dy(3, {0, 0.5, 0}), dx(3, {9, 9, 9});  // g = (0, 1, 0)
  this->backend_->LayerNormBackwardInput(dy, this->x_, this->gamma_, this->statistics_, dx, false);
  this->ExpectNear(dx, {-5.0 / 24, 7.0 / 24, -2.0 / 24});
}

TYPED_TEST(ReferenceNorm, ParameterGradientsSumOverRows) {
  typename TestFixture::Matrix x(3, {0, 0, 3, 3, 0, 0}), statistics(2, {1, 0.5, 1, 0.5});
  typename TestFixture::Matrix dy(3, {2, 4, 6, 10, 20, 30}), dgamma(3, {1, 1, 1}), dbeta = dgamma;
  this->backend_->LayerNormBackwardWeight(dy, x, statistics, dgamma, dbeta);
  this->ExpectNear(dgamma, {1 - 1 + 10, 1 - 2 - 10, 1 + 6 - 15});
  this->ExpectNear(dbeta, {13, 25, 37});
}

}  // namespace
}  // namespace heed
