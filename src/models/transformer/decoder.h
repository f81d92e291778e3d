// The Transformer's decoder (Vaswani et al. 2017, section 3.1): the whole target at once in
// training, one token of each hypothesis in translation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/transformer/residual.h"
#include "models/transformer/transformer_shape.h"

namespace heed {

// What a layer attends to beside the target itself.
struct DecoderMemory {
  const Tensor& keys_values;      // the encoder's output, projected: [source tokens, 2 model]
  const SequenceLayout& targets;  // sentence i's rows of x attend to source i
  const SequenceLayout& sources;
  Tensor* weights = nullptr;  // if given, receives what ops::AttentionWeights returns
};

// Masked self-attention, attention over the encoder's output and a feed-forward network, each
// inside a residual connection.
class DecoderLayer {
 public:
  DecoderLayer(ParameterStore& store, const std::string& name, const ModelOptions& options,
               int64_t number);

  // x [target tokens, model], memory [source tokens, model] -> [target tokens, model]
  Tensor operator()(Context& ctx, const Tensor& x, const Tensor& memory,
                    const SequenceLayout& targets, const SequenceLayout& sources) const;

  // For translation: the memory's keys and values once, then token after token.
  // x [hypotheses, model] -> [hypotheses, model].
  Tensor ProjectMemory(Context& ctx, const Tensor& memory) const {
    return cross_attention_.Project(ctx, memory);
  }
  Tensor Step(Context& ctx, const Tensor& x, const AttentionCache& cache,
              const DecoderMemory& memory) const;

 private:
  // What both have in common; `self_attend` maps [rows, model] -> [rows, model].
  template <class SelfAttend>
  Tensor Run(Context& ctx, const Tensor& x, const SelfAttend& self_attend,
             const DecoderMemory& memory) const;

  Residual residual_;
  SelfAttention self_attention_;
  LayerNormLayer self_attention_norm_;
  CrossAttention cross_attention_;
  LayerNormLayer cross_attention_norm_;
  FeedForward feed_forward_;
  LayerNormLayer feed_forward_norm_;
};

class Decoder {
 public:
  Decoder(ParameterStore& store, const std::string& name, const ModelOptions& options);

  // Embedded tokens [target tokens, model] -> [target tokens, model].
  Tensor operator()(Context& ctx, Tensor x, const Tensor& memory, const SequenceLayout& targets,
                    const SequenceLayout& sources, bool checkpoint_layers) const;

  const std::vector<DecoderLayer>& layers() const { return layers_; }
  // The norm at the end of a pre-norm stack; x itself for post-norm.
  Tensor Finish(Context& ctx, const Tensor& x) const {
    return final_norm_ ? (*final_norm_)(ctx, x) : x;
  }

 private:
  std::vector<DecoderLayer> layers_;
  std::optional<LayerNormLayer> final_norm_;  // pre-norm only
};

}  // namespace heed
