#include "export/marian_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "util/check.h"

namespace heed {
namespace {

// Appends the arrays of one model.
class MarianNameList {
 public:
  explicit MarianNameList(const ModelOptions& options)
      : width_(options.model_width),
        norm_suffix_(options.norm == NormPosition::kBefore ? "_pre" : "") {}

  void AddNorm(const std::string& theirs, const std::string& ours, const std::string& suffix) {
    names.push_back({theirs + "_ln_scale" + suffix, ours + ".weight"});
    names.push_back({theirs + "_ln_bias" + suffix, ours + ".bias"});
  }

  // The linear layer that Marian writes as PREFIX_W + letter and PREFIX_b + letter.
  void AddLinear(const std::string& prefix, char letter, const std::string& ours, int64_t first = 0,
                 int64_t count = TensorName::kAll) {
    names.push_back({fmt::format("{}_W{}", prefix, letter), ours + ".weight", first, count});
    names.push_back({fmt::format("{}_b{}", prefix, letter), ours + ".bias", first, count});
  }

  void AddSelfAttention(const std::string& prefix, const std::string& ours,
                        const std::string& our_norm) {
    AddLinear(prefix, 'q', ours + ".qkv", 0, width_);
    AddLinear(prefix, 'k', ours + ".qkv", width_, width_);
    AddLinear(prefix, 'v', ours + ".qkv", 2 * width_, width_);
    AddLinear(prefix, 'o', ours + ".output");
    AddNorm(prefix + "_Wo", our_norm, norm_suffix_);
  }

  void AddCrossAttention(const std::string& prefix, const std::string& ours) {
    AddLinear(prefix, 'q', ours + ".query");
    AddLinear(prefix, 'k', ours + ".key_value", 0, width_);
    AddLinear(prefix, 'v', ours + ".key_value", width_, width_);
    AddLinear(prefix, 'o', ours + ".output");
    AddNorm(prefix + "_Wo", ours + "_norm", norm_suffix_);
  }

  void AddFeedForward(const std::string& prefix, const std::string& ours) {
    AddLinear(prefix, '1', ours + ".up");
    AddLinear(prefix, '2', ours + ".down");
    AddNorm(prefix + "_ffn", ours + "_norm", norm_suffix_);
  }

  TensorNames names;

 private:
  int64_t width_;
  std::string norm_suffix_;
};

void AddMarianEmbeddings(MarianNameList& names, EmbeddingTying tying) {
  if (tying == EmbeddingTying::kAll) {
    names.names.push_back({"Wemb", "embedding.weight"});
  } else {
    names.names.push_back({"encoder_Wemb", "source_embedding.weight"});
    names.names.push_back({"decoder_Wemb", "target_embedding.weight"});
  }
  if (tying == EmbeddingTying::kNone) {
    names.names.push_back({"decoder_ff_logit_out_Wt", "output.weight"});
  }
  names.names.push_back({"decoder_ff_logit_out_b", "output.bias"});
}

}  // namespace

TensorNames MarianNames(const ModelOptions& options) {
  HEED_CHECK(!options.gated, "Marian has no gated units");
  MarianNameList list(options);
  AddMarianEmbeddings(list, options.tie_embeddings);
  for (int64_t i = 1; i <= options.encoder_layers; ++i) {
    const std::string theirs = fmt::format("encoder_l{}", i);
    const std::string ours = fmt::format("encoder.layer{}", i);
    list.AddSelfAttention(theirs + "_self", ours + ".self_attention", ours + ".attention_norm");
    list.AddFeedForward(theirs + "_ffn", ours + ".feed_forward");
  }
  for (int64_t i = 1; i <= options.decoder_layers; ++i) {
    const std::string theirs = fmt::format("decoder_l{}", i);
    const std::string ours = fmt::format("decoder.layer{}", i);
    list.AddSelfAttention(theirs + "_self", ours + ".self_attention",
                          ours + ".self_attention_norm");
    list.AddCrossAttention(theirs + "_context", ours + ".cross_attention");
    list.AddFeedForward(theirs + "_ffn", ours + ".feed_forward");
  }
  if (options.norm == NormPosition::kBefore) {
    list.AddNorm("encoder_top", "encoder.final_norm", "");
    list.AddNorm("decoder_top", "decoder.final_norm", "");
  }
  return std::move(list.names);
}

bool IsTransposedInMarian(std::string_view theirs) {
  constexpr auto kEnds =
      std::to_array<std::string_view>({"_Wq", "_Wk", "_Wv", "_Wo", "_W1", "_W2"});
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return theirs.ends_with(end); });
}

}  // namespace heed
