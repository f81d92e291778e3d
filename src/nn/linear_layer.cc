#include "nn/linear_layer.h"

namespace heed {

LinearLayer::LinearLayer(ParameterStore& store, const std::string& name, const LinearShape& shape)
    : weight_(&store.Add(
          name + ".weight", shape.out, shape.in,
          Initializer::Xavier(shape.in, shape.block > 0 ? shape.block : shape.out, shape.gain))),
      bias_(shape.with_bias ? &store.Add(name + ".bias", 1, shape.out, Initializer::Constant(0))
                            : nullptr) {}

}  // namespace heed
