// The sizes and switches that the parts of a Transformer share.
#pragma once

#include "config/model_options.h"
#include "data/vocabulary.h"
#include "nn/feed_forward.h"
#include "nn/multi_head_attention.h"

namespace heed {

struct TransformerShape {
  ModelOptions options;
  int64_t source_vocabulary = 0;
  int64_t target_vocabulary = 0;
  int32_t begin_id = -1;  // of the vocabulary's begin mark, if options.decoder_start is learned
};

// Of a model with these options over these vocabularies, which may have a begin mark that it does
// not use.
TransformerShape MakeShape(const ModelOptions& options, const Vocabularies& vocabularies);

constexpr Activation ToActivation(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::kRelu:
      return Activation::kRelu;
    case ActivationKind::kGelu:
      return Activation::kGelu;
    case ActivationKind::kSilu:
      return Activation::kSilu;
  }
  return Activation::kNone;
}

// Factor on Xavier's width for layer `number` (from 1): 1, or 1 / sqrt(number) where initialisation
// is scaled by depth (Zhang et al. 2019, "Improving deep Transformer with depth-scaled
// initialization").
double LayerGain(const ModelOptions& options, int64_t number);

AttentionShape MakeAttentionShape(const ModelOptions& options, int64_t layer_number);
FeedForwardShape MakeFeedForwardShape(const ModelOptions& options, int64_t layer_number);

}  // namespace heed
