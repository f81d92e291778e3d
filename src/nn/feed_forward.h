// The position-wise feed-forward network (Vaswani et al. 2017, section 3.3) and its gated form
// (Shazeer 2020).
#pragma once

#include <string>

#include "nn/linear_layer.h"

namespace heed {

struct FeedForwardShape {
  int64_t model_width = 0;
  int64_t hidden_width = 0;
  Activation activation = Activation::kRelu;
  bool is_gated = false;
  bool with_bias = true;
  double dropout = 0;  // rate, after the activation
  double gain = 1;     // of the Xavier initialisation
};

class FeedForward {
 public:
  // Declares NAME.up [hidden, model] (gated: [2 hidden, model], activated half first) and NAME.down
  // [model, hidden].
  FeedForward(ParameterStore& store, const std::string& name, const FeedForwardShape& shape);

  // x [tokens, model] -> [tokens, model]
  Tensor operator()(Context& ctx, const Tensor& x) const;

 private:
  FeedForwardShape shape_;
  LinearLayer up_, down_;
};

}  // namespace heed
