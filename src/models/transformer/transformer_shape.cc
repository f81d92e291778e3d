#include "models/transformer/transformer_shape.h"

#include <cmath>

namespace heed {

TransformerShape MakeShape(const ModelOptions& options, const Vocabularies& vocabularies) {
  TransformerShape shape{.options = options,
                         .source_vocabulary = vocabularies.source->size(),
                         .target_vocabulary = vocabularies.target->size()};
  shape.options.initialise_from.clear();
  if (options.decoder_start == DecoderStart::kLearned) {
    shape.begin_id = vocabularies.target->bos_id();
  }
  return shape;
}

double LayerGain(const ModelOptions& options, int64_t number) {
  return options.initialization.scheme == InitializationScheme::kDepthScaled
             ? 1 / std::sqrt(static_cast<double>(number))
             : 1.0;
}

AttentionShape MakeAttentionShape(const ModelOptions& options, int64_t layer_number) {
  return {.model_width = options.model_width,
          .heads = options.heads,
          .with_bias = options.projection_bias,
          .dropout = options.dropout.attention,
          .gain = LayerGain(options, layer_number)};
}

FeedForwardShape MakeFeedForwardShape(const ModelOptions& options, int64_t layer_number) {
  return {.model_width = options.model_width,
          .hidden_width = options.feed_forward_width,
          .activation = ToActivation(options.activation),
          .is_gated = options.gated,
          .with_bias = options.projection_bias,
          .dropout = options.dropout.activation,
          .gain = LayerGain(options, layer_number)};
}

}  // namespace heed
