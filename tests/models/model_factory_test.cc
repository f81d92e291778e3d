#include "models/model_factory.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(ModelFactory, MakesATransformerAndKnowsItsLimits) {
  ParameterStore store;
  ModelOptions options;
  options.model_width = 8;
  options.heads = 2;
  const auto model =
      MakeModel(store, {.options = options, .source_vocabulary = 7, .target_vocabulary = 7}, false);
  EXPECT_EQ(model->target_vocabulary(), 7);
  EXPECT_EQ(model->start_token(), -1);
  EXPECT_EQ(LongestSource(options), 0);
  options.positions.kind = PositionKind::kLearned;
  EXPECT_EQ(LongestSource(options), options.positions.max_length);
}

}  // namespace
}  // namespace heed
