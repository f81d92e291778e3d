#include <limits>

#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

template <class Real>
class ReferenceDecoding : public Reference<Real> {};
TYPED_TEST_SUITE(ReferenceDecoding, Reals);

TYPED_TEST(ReferenceDecoding, TopKPrefersTheSmallerColumnAmongEquals) {
  typename TestFixture::Matrix x(5, {3, 1, 3, 2, 3, -5, -4, -3, -2, -1});
  typename TestFixture::Matrix values(4, std::vector<double>(8, 9));
  std::vector<int32_t> columns(8, -7);
  this->backend_->TopK(x, 4, values, columns);
  this->ExpectNear(values, {3, 3, 3, 2, -1, -2, -3, -4});
  EXPECT_THAT(columns, testing::ElementsAre(0, 2, 4, 3, 4, 3, 2, 1));
}

TYPED_TEST(ReferenceDecoding, TopKOfAllElementsReachesMinusInfinity) {
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  typename TestFixture::Matrix x(3, {minus_infinity, 1, minus_infinity}), values(3, {9, 9, 9});
  std::vector<int32_t> columns(3, -7);
  this->backend_->TopK(x, 3, values, columns);
  EXPECT_THAT(values.values(), testing::ElementsAre(1, minus_infinity, minus_infinity));
  EXPECT_THAT(columns, testing::ElementsAre(1, 0, 2));
}

TYPED_TEST(ReferenceDecoding, MoreThanThereAreIsOurBug) {
  typename TestFixture::Matrix x(2, {1, 2}), values(3, {9, 9, 9});
  std::vector<int32_t> columns(3);
  EXPECT_THROW(this->backend_->TopK(x, 3, values, columns), InternalError);
}

}  // namespace
}  // namespace heed
