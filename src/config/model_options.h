// Section `model` of a recipe: everything that decides the parameters and the function they
// compute. Defaults are the base model of Vaswani et al. 2017, within what every export target can
// hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/constraints.h"
#include "config/enum_names.h"

namespace heed {

enum class Architecture { kTransformer };
constexpr auto EnumNames(Architecture /*tag*/) {
  return std::to_array<EnumName<Architecture>>({{Architecture::kTransformer, "transformer"}});
}

// Of a sublayer: after the residual sum (Vaswani et al. 2017) or before the sublayer, with a final
// norm on each stack (Xiong et al. 2020).
enum class NormPosition { kAfter, kBefore };
constexpr auto EnumNames(NormPosition /*tag*/) {
  return std::to_array<EnumName<NormPosition>>(
      {{NormPosition::kAfter, "post"}, {NormPosition::kBefore, "pre"}});
}

enum class ActivationKind { kRelu, kGelu, kSilu };
constexpr auto EnumNames(ActivationKind /*tag*/) {
  return std::to_array<EnumName<ActivationKind>>({{ActivationKind::kRelu, "relu"},
                                                  {ActivationKind::kGelu, "gelu"},
                                                  {ActivationKind::kSilu, "silu"}});
}

enum class PositionKind { kSinusoidal, kLearned, kNone };
constexpr auto EnumNames(PositionKind /*tag*/) {
  return std::to_array<EnumName<PositionKind>>({{PositionKind::kSinusoidal, "sinusoidal"},
                                                {PositionKind::kLearned, "learned"},
                                                {PositionKind::kNone, "none"}});
}

// Where the sines and cosines stand: all sines first, or in turns.
enum class SinusoidLayout { kHalf, kInterleaved };
constexpr auto EnumNames(SinusoidLayout /*tag*/) {
  return std::to_array<EnumName<SinusoidLayout>>(
      {{SinusoidLayout::kHalf, "half"}, {SinusoidLayout::kInterleaved, "interleaved"}});
}

// Frequency of pair i of d/2: 10000^(-i/(d/2-1)) (Tensor2Tensor, Marian), or 10000^(-2i/d) (paper).
enum class SinusoidFrequency { kT2t, kPaper };
constexpr auto EnumNames(SinusoidFrequency /*tag*/) {
  return std::to_array<EnumName<SinusoidFrequency>>(
      {{SinusoidFrequency::kT2t, "t2t"}, {SinusoidFrequency::kPaper, "paper"}});
}

// Which of source embedding, target embedding and output matrix are one parameter.
enum class EmbeddingTying { kNone, kDecoder, kAll };
constexpr auto EnumNames(EmbeddingTying /*tag*/) {
  return std::to_array<EnumName<EmbeddingTying>>({{EmbeddingTying::kNone, "none"},
                                                  {EmbeddingTying::kDecoder, "decoder"},
                                                  {EmbeddingTying::kAll, "all"}});
}

enum class DecoderStart { kZero, kLearned };
constexpr auto EnumNames(DecoderStart /*tag*/) {
  return std::to_array<EnumName<DecoderStart>>(
      {{DecoderStart::kZero, "zero"}, {DecoderStart::kLearned, "learned"}});
}

enum class InitializationScheme { kXavier, kDepthScaled };
constexpr auto EnumNames(InitializationScheme /*tag*/) {
  return std::to_array<EnumName<InitializationScheme>>(
      {{InitializationScheme::kXavier, "xavier"},
       {InitializationScheme::kDepthScaled, "depth_scaled"}});
}

struct PositionOptions {
  PositionKind kind = PositionKind::kSinusoidal;
  SinusoidLayout layout = SinusoidLayout::kHalf;
  SinusoidFrequency frequency = SinusoidFrequency::kT2t;
  int64_t offset = 0;         // the position number of the first token
  int64_t max_length = 1024;  // tokens; rows of a learned table

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("kind", kind, "How the model learns the order of tokens");
    visit("layout", layout, "sinusoidal: all sines before all cosines, or in turns");
    visit("frequency", frequency,
          "sinusoidal: frequencies of Tensor2Tensor and Marian, or of the paper's formula");
    visit("offset", offset, "Number of the first position", AtLeast{0});
    visit("max_length", max_length,
          "learned: longest sentence in tokens, that is rows of the table", AtLeast{2});
  }
  bool operator==(const PositionOptions&) const = default;
};

// Probabilities with which a value is zeroed in training.
struct DropoutOptions {
  double residual = 0.1;   // sublayer outputs, before the residual sum
  double attention = 0;    // attention probabilities
  double activation = 0;   // inside the feed-forward layer, after the activation
  double embedding = 0.1;  // embedding plus position

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("residual", residual, "Probability of dropping values of a sublayer's output",
          FromZeroToBelowOne{});
    visit("attention", attention, "Probability of dropping attention weights",
          FromZeroToBelowOne{});
    visit("activation", activation,
          "Probability of dropping values after the feed-forward activation", FromZeroToBelowOne{});
    visit("embedding", embedding, "Probability of dropping values of embedding plus position",
          FromZeroToBelowOne{});
  }
  bool operator==(const DropoutOptions&) const = default;
};

struct InitializationOptions {
  InitializationScheme scheme = InitializationScheme::kXavier;
  std::optional<double> embedding_std;  // absent = model_width^-0.5

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("scheme", scheme,
          "Uniform by fan-in and fan-out (Glorot and Bengio 2010), or that divided by the square "
          "root of the layer's number (Zhang et al. 2019)");
    visit("embedding_std", embedding_std,
          "Standard deviation of the embeddings; not set means 1 / sqrt(model_width)", Above{0});
  }
  bool operator==(const InitializationOptions&) const = default;
};

struct ModelOptions {
  std::string initialise_from;  // model to start from; not a property of the network
  Architecture architecture = Architecture::kTransformer;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  int64_t model_width = 512;          // values per token between layers
  int64_t feed_forward_width = 2048;  // values per token inside the feed-forward layer
  int64_t heads = 8;                  // attention heads; head width = model_width / heads
  NormPosition norm = NormPosition::kAfter;
  double layer_norm_epsilon = 1e-5;
  ActivationKind activation = ActivationKind::kRelu;
  bool gated = false;  // feed-forward: activation(x W1) * (x W3), Shazeer 2020
  PositionOptions positions;
  bool scale_embeddings = true;  // by sqrt(model_width)
  EmbeddingTying tie_embeddings = EmbeddingTying::kAll;
  DecoderStart decoder_start = DecoderStart::kZero;
  bool projection_bias = true;  // in attention and feed-forward
  bool output_bias = true;      // on the logits
  DropoutOptions dropout;
  InitializationOptions initialization;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit(
        "initialise_from", initialise_from,
        "Model or run to start from (fine-tuning): gives the weights, the vocabulary, and all keys "
        "of 'model' that are not set; not set means random weights");
    visit("architecture", architecture, "Kind of model");
    visit("encoder_layers", encoder_layers, "Layers of the encoder", AtLeast{1});
    visit("decoder_layers", decoder_layers, "Layers of the decoder", AtLeast{1});
    visit("model_width", model_width, "Values per token between layers; a multiple of 'heads'",
          AtLeast{2});
    visit("feed_forward_width", feed_forward_width,
          "Values per token inside the feed-forward layer", AtLeast{1});
    visit("heads", heads, "Attention heads", AtLeast{1});
    visit("norm", norm,
          "Layer norm after the residual sum, or before each sublayer with one more at the end of "
          "each stack");
    visit("layer_norm_epsilon", layer_norm_epsilon, "Added to the variance in layer norm",
          Above{0});
    visit("activation", activation, "Function inside the feed-forward layer");
    visit("gated", gated,
          "Multiply the activation by a second projection of the input (Shazeer 2020)");
    visit("positions", positions, "Position encoding");
    visit("scale_embeddings", scale_embeddings, "Multiply embeddings by sqrt(model_width)");
    visit("tie_embeddings", tie_embeddings,
          "Share nothing, the target embedding with the output matrix, or both embeddings with it");
    visit("decoder_start", decoder_start,
          "First input of the decoder: a zero vector, or a learned one");
    visit("projection_bias", projection_bias, "Biases in attention and feed-forward projections");
    visit("output_bias", output_bias, "Bias on the logits");
    visit("dropout", dropout, "Dropout, in training only");
    visit("initialization", initialization, "First values of the parameters");
  }
  bool operator==(const ModelOptions&) const = default;
};

}  // namespace heed
