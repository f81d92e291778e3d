// A linear layer: y = x W' + b.
#pragma once

#include <string>

#include "ops/linear.h"

namespace heed {

struct LinearShape {
  int64_t in = 0;
  int64_t out = 0;
  bool with_bias = true;
  double gain = 1;  // of the Xavier initialisation
  // Output columns per initialised block: queries, keys and values in one matrix start as three.
  // 0 = one block.
  int64_t block = 0;
};

class LinearLayer {
 public:
  // Declares NAME.weight [out, in], Xavier uniform, and NAME.bias [1, out], zero.
  LinearLayer(ParameterStore& store, const std::string& name, const LinearShape& shape);

  // x [tokens, in] -> [tokens, out]
  Tensor operator()(Context& ctx, const Tensor& x,
                    Activation activation = Activation::kNone) const {
    return ops::Linear(ctx, x, *weight_, bias_, activation);
  }

 private:
  Parameter* weight_;
  Parameter* bias_;  // nullptr if there is none
};

}  // namespace heed
