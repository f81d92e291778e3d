#include "models/transformer/decoder.h"

#include <fmt/format.h>

#include "ops/checkpoint.h"

namespace heed {

DecoderLayer::DecoderLayer(ParameterStore& store, const std::string& name,
                           const ModelOptions& options, int64_t number)
    : residual_(options.norm, options.dropout.residual),
      self_attention_(store, name + ".self_attention", MakeAttentionShape(options, number)),
      self_attention_norm_(store, name + ".self_attention_norm", options.model_width,
                           options.layer_norm_epsilon),
      cross_attention_(store, name + ".cross_attention", MakeAttentionShape(options, number)),
      cross_attention_norm_(store, name + ".cross_attention_norm", options.model_width,
                            options.layer_norm_epsilon),
      feed_forward_(store, name + ".feed_forward", MakeFeedForwardShape(options, number)),
      feed_forward_norm_(store, name + ".feed_forward_norm", options.model_width,
                         options.layer_norm_epsilon) {}

template <class SelfAttend>
Tensor DecoderLayer::Run(Context& ctx, const Tensor& x, const SelfAttend& self_attend,
                         const DecoderMemory& memory) const {
  const Tensor self_attended = residual_(ctx, self_attention_norm_, x, self_attend);
  const Tensor attended =
      residual_(ctx, cross_attention_norm_, self_attended, [&](const Tensor& in) {
        return cross_attention_(ctx, in, memory.keys_values, memory.targets, memory.sources,
                                memory.weights);
      });
  return residual_(ctx, feed_forward_norm_, attended,
                   [&](const Tensor& in) { return feed_forward_(ctx, in); });
}

Tensor DecoderLayer::operator()(Context& ctx, const Tensor& x, const Tensor& memory,
                                const SequenceLayout& targets,
                                const SequenceLayout& sources) const {
  const auto self_attend = [&](const Tensor& in) {
    return self_attention_(ctx, in, targets, AttentionMask::kCausal);
  };
  const Tensor keys_values = ProjectMemory(ctx, memory);
  return Run(ctx, x, self_attend,
             {.keys_values = keys_values, .targets = targets, .sources = sources});
}

Tensor DecoderLayer::Step(Context& ctx, const Tensor& x, const AttentionCache& cache,
                          const DecoderMemory& memory) const {
  const auto self_attend = [&](const Tensor& in) { return self_attention_.Step(ctx, in, cache); };
  return Run(ctx, x, self_attend, memory);
}

Decoder::Decoder(ParameterStore& store, const std::string& name, const ModelOptions& options) {
  for (int64_t number = 1; number <= options.decoder_layers; ++number) {
    layers_.emplace_back(store, fmt::format("{}.layer{}", name, number), options, number);
  }
  if (options.norm == NormPosition::kBefore) {
    final_norm_.emplace(store, name + ".final_norm", options.model_width,
                        options.layer_norm_epsilon);
  }
}

Tensor Decoder::operator()(Context& ctx, Tensor x, const Tensor& memory,
                           const SequenceLayout& targets, const SequenceLayout& sources,
                           bool checkpoint_layers) const {
  for (const DecoderLayer& layer : layers_) {
    const auto run = [&layer, memory, &targets, &sources](Context& again, const Tensor& in) {
      return layer(again, in, memory, targets, sources);
    };
    x = checkpoint_layers ? ops::Checkpoint(ctx, x, run) : run(ctx, x);
  }
  return Finish(ctx, x);
}

}  // namespace heed
