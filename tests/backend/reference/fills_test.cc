#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

template <class Real>
class ReferenceFills : public Reference<Real> {};
TYPED_TEST_SUITE(ReferenceFills, Reals);

TYPED_TEST(ReferenceFills, TouchOnlyTheColumnsOfTheView) {
  typename TestFixture::Matrix x(3, {1, 2, 3, 4, 5, 6});
  typename TestFixture::Matrix y(2, {10, 20, 30, 40});
  this->backend_->AddTo(x.view().Columns(1, 2), y);
  this->ExpectNear(y, {12, 23, 35, 46});
  this->backend_->Copy(y, x.view().Columns(0, 2));
  this->ExpectNear(x, {12, 23, 3, 35, 46, 6});
  this->backend_->Fill(x.view().Columns(2, 1), -1);
  this->ExpectNear(x, {12, 23, -1, 35, 46, -1});
}

}  // namespace
}  // namespace heed
