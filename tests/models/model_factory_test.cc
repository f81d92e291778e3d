#include "models/model_factory.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(ModelFactory, MakesATransformerAndKnowsItsLimits) {
  ParameterStore store;
  ModelOptions options;
  options.model_width = 8;
  options.heads = 2;
  TransformerShape shape{.options = options, .source_vocabulary = 7, .target_vocabulary = 7};
  const auto model = MakeModel(store, shape, false);
  EXPECT_EQ(model->target_vocabulary(), 7);
  EXPECT_EQ(model->start_token(), -1);
  EXPECT_EQ(model->max_length(), 0);
  shape.options.positions.kind = PositionKind::kLearned;
  shape.options.positions.max_length = 17;
  ParameterStore other_store;
  EXPECT_EQ(MakeModel(other_store, shape, false)->max_length(), 17);
}

}  // namespace
}  // namespace heed
