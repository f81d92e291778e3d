#include "nn/feed_forward.h"

#include "ops/pointwise.h"

namespace heed {

FeedForward::FeedForward(ParameterStore& store, const std::string& name,
                         const FeedForwardShape& shape)
    : shape_(shape),
      up_(store, name + ".up",
          {.in = shape.model_width,
           .out = shape.is_gated ? 2 * shape.hidden_width : shape.hidden_width,
           .with_bias = shape.with_bias,
           .gain = shape.gain,
           .block = shape.hidden_width}),
      down_(store, name + ".down",
            {.in = shape.hidden_width,
             .out = shape.model_width,
             .with_bias = shape.with_bias,
             .gain = shape.gain}) {}

Tensor FeedForward::operator()(Context& ctx, const Tensor& x) const {
  Tensor hidden;
  if (shape_.is_gated) {
    hidden = ops::Gated(ctx, up_(ctx, x), shape_.activation);
  } else if (shape_.activation == Activation::kRelu) {
    hidden = up_(ctx, x, Activation::kRelu);
  } else {
    hidden = ops::Activate(ctx, up_(ctx, x), shape_.activation);
  }
  return down_(ctx, ops::Dropout(ctx, hidden, shape_.dropout));
}

}  // namespace heed
