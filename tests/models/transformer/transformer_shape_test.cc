#include "models/transformer/transformer_shape.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

TEST(TransformerShape, DepthScaledGainFallsWithTheRootOfTheLayer) {
  ModelOptions options;
  EXPECT_EQ(LayerGain(options, 4), 1.0);
  options.initialization.scheme = InitializationScheme::kDepthScaled;
  EXPECT_EQ(LayerGain(options, 1), 1.0);
  EXPECT_EQ(LayerGain(options, 4), 0.5);
  EXPECT_EQ(MakeAttentionShape(options, 4).gain, 0.5);
  EXPECT_EQ(MakeFeedForwardShape(options, 4).gain, 0.5);
}

}  // namespace
}  // namespace heed
