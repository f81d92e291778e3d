#include "nn/linear_layer.h"

#include <algorithm>
#include <cmath>

#include "tests/support/gradient_check.h"

namespace heed {
namespace {

class LinearLayerTest : public OpTest {};

TEST_F(LinearLayerTest, StartsWithXavierWidthOfItsBlock) {
  const LinearLayer layer(store_, "qkv", {.in = 30, .out = 90, .gain = 0.5, .block = 30});
  Allocate();
  const Parameter& weight = *store_.Find("qkv.weight");
  const double* values = weight.value.Row<double>(0);
  const double largest =
      std::abs(*std::max_element(values, values + weight.size(),
                                 [](double a, double b) { return std::abs(a) < std::abs(b); }));
  EXPECT_LE(largest, 0.5 * std::sqrt(6.0 / 60));
  EXPECT_GT(largest, 0.49 * std::sqrt(6.0 / 60));
  EXPECT_EQ(store_.Find("qkv.bias")->value.Row<double>(0)[89], 0);
}

TEST_F(LinearLayerTest, BiasIsOptional) {
  const LinearLayer layer(store_, "up", {.in = 3, .out = 2, .with_bias = false});
  EXPECT_EQ(store_.Find("up.bias"), nullptr);
}

}  // namespace
}  // namespace heed
