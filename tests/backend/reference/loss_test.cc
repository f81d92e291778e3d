#include <cmath>
#include <limits>

#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

// Logits 0 and ln 3: probabilities 1/4 and 3/4.
template <class Real>
class ReferenceLoss : public Reference<Real> {
 protected:
  using Matrix = Literal<Real>;
  Matrix logits_{2, {0, std::log(3.0)}};
  Matrix losses_{2, {9, 9}};
};
TYPED_TEST_SUITE(ReferenceLoss, Reals);

TYPED_TEST(ReferenceLoss, WithoutSmoothingBothLossesAreTheNegativeLogLikelihood) {
  const std::vector<int32_t> labels = {1};
  this->backend_->CrossEntropy(this->logits_, labels, 0, 1, true, this->losses_);
  this->ExpectNear(this->losses_, {std::log(4.0 / 3), std::log(4.0 / 3)});
  this->ExpectNear(this->logits_, {0.25, -0.25});
}

// Smoothing 0.2 over 2 entries: the target distribution is 0.1, 0.9.
TYPED_TEST(ReferenceLoss, SmoothingSpreadsOverTheWholeVocabulary) {
  const std::vector<int32_t> labels = {1};
  this->backend_->CrossEntropy(this->logits_, labels, 0.2, 2, true, this->losses_);
  this->ExpectNear(this->losses_, {-0.1 * std::log(0.25) - 0.9 * std::log(0.75), -std::log(0.75)});
  this->ExpectNear(this->logits_, {2 * (0.25 - 0.1), 2 * (0.75 - 0.9)});
}

TYPED_TEST(ReferenceLoss, SpareRowsHaveNoLossAndNoGradient) {
  typename TestFixture::Matrix logits(2, {5, 7, 0, std::log(3.0), 1, 2});
  typename TestFixture::Matrix losses(2, std::vector<double>(6, 9));
  const std::vector<int32_t> labels = {-1, 0, -1};
  this->backend_->CrossEntropy(logits, labels, 0, 1, true, losses);
  this->ExpectNear(losses, {0, 0, std::log(4.0), std::log(4.0), 0, 0});
  this->ExpectNear(logits, {0, 0, -0.75, 0.75, 0, 0});
}

TYPED_TEST(ReferenceLoss, LossesAreTheSameWithoutGradient) {
  const std::vector<int32_t> labels = {0};
  this->backend_->CrossEntropy(this->logits_, labels, 0.2, 1, false, this->losses_);
  this->ExpectNear(this->losses_, {-0.9 * std::log(0.25) - 0.1 * std::log(0.75), std::log(4.0)});
}

TYPED_TEST(ReferenceLoss, HugeLogitsDoNotOverflow) {
  typename TestFixture::Matrix logits(2, {-1e4, 1e4});
  const std::vector<int32_t> labels = {0};
  this->backend_->CrossEntropy(logits, labels, 0, 1, true, this->losses_);
  this->ExpectNear(this->losses_, {2e4, 2e4});
  this->ExpectNear(logits, {-1, 1});
}

TYPED_TEST(ReferenceLoss, LogSoftmaxKeepsForbiddenEntries) {
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  typename TestFixture::Matrix x(3, {0, std::log(3.0), minus_infinity, 1, 1, 1});
  this->backend_->LogSoftmax(x);
  EXPECT_EQ(static_cast<double>(x.values()[2]), minus_infinity);
  this->backend_->Fill(x.view().Rows(0, 1).Columns(2, 1), 0);
  const double third = -std::log(3.0);
  this->ExpectNear(x, {std::log(0.25), std::log(0.75), 0, third, third, third});
}

}  // namespace
}  // namespace heed
