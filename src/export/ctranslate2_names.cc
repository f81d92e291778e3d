#include "export/ctranslate2_names.h"

#include <fmt/format.h>

#include <array>

#include "util/check.h"

namespace heed {
namespace {

struct ActivationNumber {
  ActivationKind kind;
  int number;
};
constexpr auto kActivations = std::to_array<ActivationNumber>(
    {{ActivationKind::kRelu, 0}, {ActivationKind::kSilu, 2}, {ActivationKind::kGelu, 3}});

// Appends the tensors of one model.
class Names {
 public:
  explicit Names(const ModelOptions& options) : options_(options) {}

  void AddNorm(const std::string& theirs, const std::string& ours) {
    names.push_back({theirs + "/gamma", ours + ".weight"});
    names.push_back({theirs + "/beta", ours + ".bias"});
  }

  void AddLinear(const std::string& theirs, const std::string& ours, int64_t first = 0,
                 int64_t count = TensorName::kAll) {
    names.push_back({theirs + "/weight", ours + ".weight", first, count});
    if (options_.projection_bias) {
      names.push_back({theirs + "/bias", ours + ".bias", first, count});
    }
  }

  // Queries, keys and values lie in one matrix, in this order, in both.
  void AddSelfAttention(const std::string& theirs, const std::string& ours,
                        const std::string& our_norm) {
    AddNorm(theirs + "/layer_norm", our_norm);
    AddLinear(theirs + "/linear_0", ours + ".qkv");
    AddLinear(theirs + "/linear_1", ours + ".output");
  }

  void AddCrossAttention(const std::string& theirs, const std::string& ours) {
    AddNorm(theirs + "/layer_norm", ours + "_norm");
    AddLinear(theirs + "/linear_0", ours + ".query");
    AddLinear(theirs + "/linear_1", ours + ".key_value");
    AddLinear(theirs + "/linear_2", ours + ".output");
  }

  void AddFeedForward(const std::string& theirs, const std::string& ours) {
    AddNorm(theirs + "/layer_norm", ours + "_norm");
    if (options_.gated) {
      const int64_t hidden = options_.feed_forward_width;
      AddLinear(theirs + "/linear_0", ours + ".up", 0, hidden);
      AddLinear(theirs + "/linear_0_noact", ours + ".up", hidden, hidden);
    } else {
      AddLinear(theirs + "/linear_0", ours + ".up");
    }
    AddLinear(theirs + "/linear_1", ours + ".down");
  }

  TensorNames names;

 private:
  const ModelOptions& options_;
};

void AddEmbeddings(Names& names, const ModelOptions& options) {
  const bool one = options.tie_embeddings == EmbeddingTying::kAll;
  names.names.push_back(
      {"decoder/embeddings/weight", one ? "embedding.weight" : "target_embedding.weight"});
  if (!one) names.names.push_back({"encoder/embeddings_0/weight", "source_embedding.weight"});
  if (options.tie_embeddings == EmbeddingTying::kNone) {
    names.names.push_back({"decoder/projection/weight", "output.weight"});
  }
  if (options.output_bias) names.names.push_back({"decoder/projection/bias", "output.bias"});
}

}  // namespace

TensorNames Ctranslate2Names(const ModelOptions& options) {
  Names names(options);
  AddEmbeddings(names, options);
  for (int64_t i = 0; i < options.encoder_layers; ++i) {
    const std::string theirs = fmt::format("encoder/layer_{}", i);
    const std::string ours = fmt::format("encoder.layer{}", i + 1);
    names.AddSelfAttention(theirs + "/self_attention", ours + ".self_attention",
                           ours + ".attention_norm");
    names.AddFeedForward(theirs + "/ffn", ours + ".feed_forward");
  }
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    const std::string theirs = fmt::format("decoder/layer_{}", i);
    const std::string ours = fmt::format("decoder.layer{}", i + 1);
    names.AddSelfAttention(theirs + "/self_attention", ours + ".self_attention",
                           ours + ".self_attention_norm");
    names.AddCrossAttention(theirs + "/attention", ours + ".cross_attention");
    names.AddFeedForward(theirs + "/ffn", ours + ".feed_forward");
  }
  if (options.norm == NormPosition::kBefore) {
    // Their presence alone makes CTranslate2 apply them, so a post-norm model must not have them.
    names.AddNorm("encoder/layer_norm", "encoder.final_norm");
    names.AddNorm("decoder/layer_norm", "decoder.final_norm");
  }
  return std::move(names.names);
}

std::vector<std::pair<std::string, std::string>> Ctranslate2Aliases(const ModelOptions& options) {
  std::vector<std::pair<std::string, std::string>> aliases;
  if (options.tie_embeddings != EmbeddingTying::kNone) {
    aliases.emplace_back("decoder/projection/weight", "decoder/embeddings/weight");
  }
  if (options.tie_embeddings == EmbeddingTying::kAll) {
    aliases.emplace_back("encoder/embeddings_0/weight", "decoder/embeddings/weight");
  }
  if (options.positions.kind != PositionKind::kLearned) {
    aliases.emplace_back(kCtranslate2EncoderPositions, kCtranslate2DecoderPositions);
  }
  return aliases;
}

int Ctranslate2Activation(ActivationKind kind) {
  for (const auto& entry : kActivations) {
    if (entry.kind == kind) return entry.number;
  }
  HEED_CHECK(false, "activation {}", EnumToString(kind));
  return 0;
}

ActivationKind ActivationFromCtranslate2(int64_t number) {
  for (const auto& entry : kActivations) {
    if (entry.number == number) return entry.kind;
  }
  ThrowUserError(
      "this CTranslate2 model has activation function {}; Heed has 0 (ReLU), 2 (SiLU) and 3 (GELU)",
      number);
}

}  // namespace heed
