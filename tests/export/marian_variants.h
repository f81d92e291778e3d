// Models that Marian can be, different in every switch that its files must express.
#pragma once

#include <vector>

#include "tests/export/export_fixture.h"

namespace heed {

inline std::vector<ModelVariant> MarianVariants() {
  std::vector<ModelVariant> variants{{"post_relu", SmallRecipe()}};
  const auto add = [&variants](const std::string& name) -> Recipe& {
    return variants.emplace_back(name, SmallRecipe()).recipe;
  };
  Recipe& separate = add("pre_silu_separate");
  separate.model.norm = NormPosition::kBefore;
  separate.model.activation = ActivationKind::kSilu;
  separate.model.tie_embeddings = EmbeddingTying::kNone;
  separate.vocabulary.joint = false;
  Recipe& interleaved = add("post_interleaved");
  interleaved.model.positions.layout = SinusoidLayout::kInterleaved;
  interleaved.model.tie_embeddings = EmbeddingTying::kDecoder;
  interleaved.model.heads = 4;
  Recipe& bare = add("pre_bare");
  bare.model.norm = NormPosition::kBefore;
  bare.model.projection_bias = false;
  bare.model.output_bias = false;
  bare.model.encoder_layers = 1;
  bare.model.decoder_layers = 3;
  bare.model.layer_norm_epsilon = 1e-6;
  return variants;
}

}  // namespace heed
