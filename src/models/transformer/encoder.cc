#include "models/transformer/encoder.h"

#include <fmt/format.h>

#include "ops/checkpoint.h"

namespace heed {

EncoderLayer::EncoderLayer(ParameterStore& store, const std::string& name,
                           const ModelOptions& options, int64_t number)
    : residual_(options.norm, options.dropout.residual),
      self_attention_(store, name + ".self_attention", MakeAttentionShape(options, number)),
      attention_norm_(store, name + ".attention_norm", options.model_width,
                      options.layer_norm_epsilon),
      feed_forward_(store, name + ".feed_forward", MakeFeedForwardShape(options, number)),
      feed_forward_norm_(store, name + ".feed_forward_norm", options.model_width,
                         options.layer_norm_epsilon) {}

Tensor EncoderLayer::operator()(Context& ctx, const Tensor& x,
                                const SequenceLayout& sentences) const {
  const Tensor attended = residual_(ctx, attention_norm_, x, [&](const Tensor& in) {
    return self_attention_(ctx, in, sentences, AttentionMask::kNone);
  });
  return residual_(ctx, feed_forward_norm_, attended,
                   [&](const Tensor& in) { return feed_forward_(ctx, in); });
}

Encoder::Encoder(ParameterStore& store, const std::string& name, const ModelOptions& options) {
  for (int64_t number = 1; number <= options.encoder_layers; ++number) {
    layers_.emplace_back(store, fmt::format("{}.layer{}", name, number), options, number);
  }
  if (options.norm == NormPosition::kBefore) {
    final_norm_.emplace(store, name + ".final_norm", options.model_width,
                        options.layer_norm_epsilon);
  }
}

Tensor Encoder::operator()(Context& ctx, Tensor x, const SequenceLayout& sentences,
                           bool checkpoint_layers) const {
  for (const EncoderLayer& layer : layers_) {
    const auto run = [&layer, &sentences](Context& again, const Tensor& in) {
      return layer(again, in, sentences);
    };
    x = checkpoint_layers ? ops::Checkpoint(ctx, x, run) : run(ctx, x);
  }
  return final_norm_ ? (*final_norm_)(ctx, x) : x;
}

}  // namespace heed
