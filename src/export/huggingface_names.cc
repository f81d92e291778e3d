#include "export/huggingface_names.h"

#include <fmt/format.h>

#include <utility>

namespace heed {
namespace {

// Appends the tensors of one model.
class HuggingFaceNameList {
 public:
  void Add(const std::string& theirs, const std::string& ours, int64_t first = 0,
           int64_t count = TensorName::kAll) {
    for (const char* kind : {".weight", ".bias"}) {
      names.push_back({theirs + kind, ours + kind, first, count});
    }
  }

  void AddSelfAttention(const std::string& theirs, const std::string& ours,
                        const std::string& our_norm, int64_t width) {
    int64_t first = 0;
    for (const char* projection : {".q_proj", ".k_proj", ".v_proj"}) {
      Add(theirs + projection, ours + ".qkv", std::exchange(first, first + width), width);
    }
    Add(theirs + ".out_proj", ours + ".output");
    Add(theirs + "_layer_norm", our_norm);
  }

  void AddCrossAttention(const std::string& theirs, const std::string& ours, int64_t width) {
    Add(theirs + ".q_proj", ours + ".query");
    Add(theirs + ".k_proj", ours + ".key_value", 0, width);
    Add(theirs + ".v_proj", ours + ".key_value", width, width);
    Add(theirs + ".out_proj", ours + ".output");
    Add(theirs + "_layer_norm", ours + "_norm");
  }

  void AddFeedForward(const std::string& theirs, const std::string& ours) {
    Add(theirs + ".fc1", ours + ".up");
    Add(theirs + ".fc2", ours + ".down");
    Add(theirs + ".final_layer_norm", ours + "_norm");
  }

  TensorNames names;
};

void AddHuggingFaceEmbeddings(HuggingFaceNameList& names, const ModelOptions& options) {
  if (options.tie_embeddings == EmbeddingTying::kAll) {
    names.names.push_back({"model.shared.weight", "embedding.weight"});
  } else {
    names.names.push_back({"model.encoder.embed_tokens.weight", "source_embedding.weight"});
    names.names.push_back({"model.decoder.embed_tokens.weight", "target_embedding.weight"});
  }
  if (options.tie_embeddings == EmbeddingTying::kNone) {
    names.names.push_back({"lm_head.weight", "output.weight"});
  }
  names.names.push_back({kHuggingFaceOutputBias, "output.bias"});
}

}  // namespace

TensorNames HuggingFaceNames(const ModelOptions& options) {
  HuggingFaceNameList names;
  AddHuggingFaceEmbeddings(names, options);
  const int64_t width = options.model_width;
  for (int64_t i = 0; i < options.encoder_layers; ++i) {
    const std::string theirs = fmt::format("model.encoder.layers.{}", i);
    const std::string ours = fmt::format("encoder.layer{}", i + 1);
    names.AddSelfAttention(theirs + ".self_attn", ours + ".self_attention",
                           ours + ".attention_norm", width);
    names.AddFeedForward(theirs, ours + ".feed_forward");
  }
  for (int64_t i = 0; i < options.decoder_layers; ++i) {
    const std::string theirs = fmt::format("model.decoder.layers.{}", i);
    const std::string ours = fmt::format("decoder.layer{}", i + 1);
    names.AddSelfAttention(theirs + ".self_attn", ours + ".self_attention",
                           ours + ".self_attention_norm", width);
    names.AddCrossAttention(theirs + ".encoder_attn", ours + ".cross_attention", width);
    names.AddFeedForward(theirs, ours + ".feed_forward");
  }
  if (options.norm == NormPosition::kBefore) {
    names.Add("model.encoder.layer_norm", "encoder.final_norm");
    names.Add("model.decoder.layer_norm", "decoder.final_norm");
  }
  return std::move(names.names);
}

bool IsPerToken(const TensorName& name) {
  return name.ours.ends_with("embedding.weight") || name.ours == "output.weight" ||
         name.ours == "output.bias";
}

}  // namespace heed
