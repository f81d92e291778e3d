// The residual connection around every sublayer.
#pragma once

#include "config/model_options.h"
#include "nn/layer_norm_layer.h"
#include "ops/pointwise.h"

namespace heed {

// post-norm (Vaswani et al. 2017, section 3.1):  norm(x + dropout(sublayer(x)))
// pre-norm  (Xiong et al. 2020):                 x + dropout(sublayer(norm(x)))
class Residual {
 public:
  Residual(NormPosition norm, double dropout) : norm_(norm), dropout_(dropout) {}

  template <class Sublayer>
  Tensor operator()(Context& ctx, const LayerNormLayer& norm, const Tensor& x,
                    const Sublayer& sublayer) const {
    if (norm_ == NormPosition::kBefore) {
      return ops::DropoutAdd(ctx, sublayer(norm(ctx, x)), x, dropout_);
    }
    return norm(ctx, ops::DropoutAdd(ctx, sublayer(x), x, dropout_));
  }

 private:
  NormPosition norm_;
  double dropout_;
};

}  // namespace heed
