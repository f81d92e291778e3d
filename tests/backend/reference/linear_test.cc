#include <cmath>
#include <limits>

#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

template <class Real>
class ReferenceLinear : public Reference<Real> {
 protected:
  using Matrix = Literal<Real>;
  Matrix x_{2, {1, 2, 3, -1}};
  Matrix w_{2, {1, 0, 2, -1, -1, 1}};
  Matrix dy_{3, {1, 2, 3, 0, -1, 1}};
};
TYPED_TEST_SUITE(ReferenceLinear, Reals);

TYPED_TEST(ReferenceLinear, MultipliesByTheTransposedWeight) {
  typename TestFixture::Matrix y(3, std::vector<double>(6, 99));
  this->backend_->Linear(this->x_, this->w_, {}, Activation::kNone, y);
  this->ExpectNear(y, {1, 0, 1, 3, 7, -4});
}

TYPED_TEST(ReferenceLinear, AddsTheBiasBeforeRelu) {
  typename TestFixture::Matrix b(3, {0.5, -1, 0}), y(3, std::vector<double>(6, 99));
  this->backend_->Linear(this->x_, this->w_, b, Activation::kNone, y);
  this->ExpectNear(y, {1.5, -1, 1, 3.5, 6, -4});
  this->backend_->Linear(this->x_, this->w_, b, Activation::kRelu, y);
  this->ExpectNear(y, {1.5, 0, 1, 3.5, 6, 0});
}

TYPED_TEST(ReferenceLinear, HasNoGeluEpilogue) {
  typename TestFixture::Matrix y(3, std::vector<double>(6, 0));
  EXPECT_THROW(this->backend_->Linear(this->x_, this->w_, {}, Activation::kGelu, y), InternalError);
}

TYPED_TEST(ReferenceLinear, InputGradientIsAssignedOrAdded) {
  typename TestFixture::Matrix dx(2, {10, 20, 30, 40});
  this->backend_->LinearBackwardInput(this->dy_, this->w_, dx, true);
  this->ExpectNear(dx, {12, 21, 27, 42});
  this->backend_->LinearBackwardInput(this->dy_, this->w_, dx, false);
  this->ExpectNear(dx, {2, 1, -3, 2});
}

TYPED_TEST(ReferenceLinear, ParameterGradientsAreAdded) {
  typename TestFixture::Matrix dw(2, {1, 1, 1, 1, 1, 1}), db(3, {10, 20, 30});
  this->backend_->LinearBackwardWeight(this->dy_, this->x_, dw);
  this->backend_->LinearBackwardBias(this->dy_, db);
  this->ExpectNear(dw, {2, 3, 0, 6, 7, 6});
  this->ExpectNear(db, {11, 21, 34});
}

}  // namespace
}  // namespace heed
