#include "models/transformer/token_embedding.h"

#include <cmath>

#include "tests/models/transformer/model_fixture.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(TokenEmbedding, ScalesTheTokenAndAddsTheUnscaledPosition) {
  TestModel test(SmallModelOptions());
  Context ctx = test.Make(nullptr);
  const TokenEmbedding embedding(test.store, "encoder", *test.store.Find("embedding.weight"),
                                 test.options);
  const std::vector<int32_t> ids = {3, -1}, positions = {0, 600};  // beyond the first table
  const Tensor y = embedding(ctx, ids, positions);
  const double* row = test.store.Find("embedding.weight")->value.Row<double>(3);
  EXPECT_NEAR(y.view().Row<double>(0)[1], std::sqrt(8.0) * row[1] + 0, 1e-12);
  EXPECT_NEAR(y.view().Row<double>(0)[5], std::sqrt(8.0) * row[5] + 1, 1e-12);
  EXPECT_NEAR(y.view().Row<double>(1)[0], std::sin(600.0), 1e-9);
}

TEST(TokenEmbedding, SentenceBeyondLearnedPositionsIsAUserError) {
  ModelOptions options = SmallModelOptions();
  options.positions.kind = PositionKind::kLearned;
  TestModel test(options);
  Context ctx = test.Make(nullptr);
  std::vector<int32_t> ids(17, 1);
  const std::vector<int32_t> lengths = {17};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  EXPECT_THROW(test.model->Encode(ctx, ids, layout), UserError);
}

}  // namespace
}  // namespace heed
