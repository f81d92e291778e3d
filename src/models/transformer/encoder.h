// The Transformer's encoder (Vaswani et al. 2017, section 3.1).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/transformer/residual.h"
#include "models/transformer/transformer_shape.h"

namespace heed {

// Self-attention and a feed-forward network, each inside a residual connection.
class EncoderLayer {
 public:
  EncoderLayer(ParameterStore& store, const std::string& name, const ModelOptions& options,
               int64_t number);

  // x [tokens, model] -> [tokens, model]
  Tensor operator()(Context& ctx, const Tensor& x, const SequenceLayout& sentences) const;

 private:
  Residual residual_;
  SelfAttention self_attention_;
  LayerNormLayer attention_norm_;
  FeedForward feed_forward_;
  LayerNormLayer feed_forward_norm_;
};

class Encoder {
 public:
  Encoder(ParameterStore& store, const std::string& name, const ModelOptions& options);

  // Embedded tokens [tokens, model] -> [tokens, model]. With `checkpoint_layers` only the inputs of
  // the layers are kept for backward.
  Tensor operator()(Context& ctx, Tensor x, const SequenceLayout& sentences,
                    bool checkpoint_layers) const;

 private:
  std::vector<EncoderLayer> layers_;
  std::optional<LayerNormLayer> final_norm_;  // pre-norm only
};

}  // namespace heed
