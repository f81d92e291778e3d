// Layer normalisation with its own gain and bias (Ba et al. 2016).
#pragma once

#include <string>

#include "ops/norm.h"

namespace heed {

class LayerNormLayer {
 public:
  // Declares NAME.weight [1, width], one, and NAME.bias [1, width], zero.
  LayerNormLayer(ParameterStore& store, const std::string& name, int64_t width, double epsilon)
      : weight_(&store.Add(name + ".weight", 1, width, Initializer::Constant(1))),
        bias_(&store.Add(name + ".bias", 1, width, Initializer::Constant(0))),
        epsilon_(epsilon) {}

  // x [tokens, width] -> [tokens, width]
  Tensor operator()(Context& ctx, const Tensor& x) const {
    return ops::LayerNorm(ctx, x, *weight_, *bias_, epsilon_);
  }

 private:
  Parameter* weight_;
  Parameter* bias_;
  double epsilon_;
};

}  // namespace heed
