#include "tests/backend/reference/literal.h"

namespace heed {
namespace {

template <class Real>
class ReferenceEmbedding : public Reference<Real> {};
TYPED_TEST_SUITE(ReferenceEmbedding, Reals);

TYPED_TEST(ReferenceEmbedding, ScalesRowsAndTakesMinusOneAsZero) {
  typename TestFixture::Matrix table(2, {1, 2, 3, 4, 5, 6}), y(2, std::vector<double>(8, 9));
  const std::vector<int32_t> ids = {2, -1, 0, 2};
  this->backend_->EmbeddingForward(ids, table, 10, y, false);
  this->ExpectNear(y, {50, 60, 0, 0, 10, 20, 50, 60});
}

TYPED_TEST(ReferenceEmbedding, AddsToWhatIsThere) {
  typename TestFixture::Matrix table(2, {1, 2, 3, 4}), y(2, {0.5, 0.5, 7, 8});
  const std::vector<int32_t> ids = {1, -1};
  this->backend_->EmbeddingForward(ids, table, 2, y, true);
  this->ExpectNear(y, {6.5, 8.5, 7, 8});
}

TYPED_TEST(ReferenceEmbedding, GradientSumsOverRepeatedIds) {
  typename TestFixture::Matrix dy(2, {1, 2, 3, 4, 5, 6, 7, 8}), dtable(2, {1, 1, 1, 1, 1, 1});
  const std::vector<int32_t> ids = {2, -1, 0, 2};
  this->backend_->EmbeddingBackward(ids, dy, 10, dtable);
  this->ExpectNear(dtable, {51, 61, 1, 1, 81, 101});
}

TYPED_TEST(ReferenceEmbedding, GathersRowsInAnyOrder) {
  typename TestFixture::Matrix x(2, {1, 2, 3, 4, 5, 6}), y(2, std::vector<double>(8, 9));
  const std::vector<int32_t> rows = {2, 0, 0, 1};
  this->backend_->GatherRows(x, rows, y);
  this->ExpectNear(y, {5, 6, 1, 2, 1, 2, 3, 4});
}

}  // namespace
}  // namespace heed
