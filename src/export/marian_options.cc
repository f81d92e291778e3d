#include "export/marian_options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "config/scalar_text.h"
#include "config/yaml_tree.h"
#include "export/marian_format.h"
#include "util/check.h"

namespace heed {
namespace {

// The options of one model, by Marian's names. What cannot be is collected as reasons.
class MarianOptionReader {
 public:
  MarianOptionReader(const std::string& yaml, const std::string& source) : source_(source) {
    ProblemList problems;
    const std::optional<ConfigNode> root = ParseYaml(yaml, source, problems);
    problems.ThrowIfAny();
    if (!root || root->kind != ConfigNode::Kind::kMap) {
      ThrowUserError("{}: {} is not a list of options", source, kMarianConfig);
    }
    root_ = *root;
  }

  // "" if it is absent.
  std::string Text(std::string_view key) const {
    const ConfigNode::Entry* entry = root_.Find(key);
    return entry == nullptr ? "" : entry->value.text;
  }

  bool Flag(std::string_view key) const { return ParseBoolean(Text(key)).value_or(false); }

  // A number of things: from 1 up to more than any model has.
  int64_t Count(std::string_view key) { return Count(key, Text(key)); }
  int64_t Count(std::string_view key, std::string_view text) {
    constexpr int64_t kMost = int64_t{1} << 30;
    const int64_t value = ParseInteger(text).value_or(0);
    if (value < 1 || value > kMost) Refuse(key, "a number from 1");
    return value;
  }

  // Item `index` of a list.
  int64_t CountAt(std::string_view key, size_t index) {
    const ConfigNode::Entry* entry = root_.Find(key);
    const bool is_there = entry != nullptr && entry->value.items.size() == 2;
    const std::string_view text = is_there ? entry->value.items[index].text : std::string_view();
    return Count(key, text);
  }

  // An absent option means what Heed has: the files of old versions have fewer.
  void Require(std::string_view key, std::string_view value) {
    const ConfigNode::Entry* entry = root_.Find(key);
    if (entry != nullptr && entry->value.text != value) Refuse(key, value);
  }
  // 0, which stands for the value of `same`, or that value.
  void RequireUnset(std::string_view key, std::string_view same) {
    const std::string value = Text(key);
    if (!value.empty() && value != "0" && value != Text(same)) Refuse(key, "0");
  }
  void RequireEmpty(std::string_view key) {
    const ConfigNode::Entry* entry = root_.Find(key);
    if (entry != nullptr && !entry->value.items.empty()) Refuse(key, "none");
  }

  void Refuse(std::string_view key, std::string_view wanted) {
    const ConfigNode::Entry* entry = root_.Find(key);
    reasons_.push_back(fmt::format("{} is {}, Heed needs {}", key,
                                   entry == nullptr ? "absent" : entry->value.Describe(),
                                   wanted.empty() ? "''" : wanted));
  }

  void ThrowIfRefused() const {
    if (reasons_.empty()) return;
    ThrowUserError("{} is a model that Heed cannot run:\n  - {}", source_,
                   fmt::join(reasons_, "\n  - "));
  }

 private:
  std::string source_;
  ConfigNode root_;
  std::vector<std::string> reasons_;
};

void RequirePlainTransformer(MarianOptionReader& reader) {
  reader.Require("type", "transformer");
  reader.Require("transformer-decoder-autoreg", "self-attention");
  reader.Require("transformer-ffn-depth", "2");
  reader.RequireUnset("transformer-decoder-ffn-depth", "transformer-ffn-depth");
  reader.RequireUnset("transformer-decoder-dim-ffn", "transformer-dim-ffn");
  reader.Require("transformer-no-projection", "false");
  reader.Require("transformer-rnn-projection", "false");
  reader.Require("transformer-pool", "false");
  reader.Require("output-omit-bias", "false");
  reader.Require("right-left", "false");
  reader.Require("ulr", "false");
  reader.Require("factors-dim-emb", "0");
  reader.Require("lemma-dim-emb", "0");
  reader.RequireEmpty("transformer-tied-layers");
  reader.RequireEmpty("input-types");
  // Letters: only dropout is left out when translating.
  const std::string embedding = reader.Text("transformer-postprocess-emb");
  if (!embedding.empty() && embedding != "d") reader.Refuse("transformer-postprocess-emb", "d");
}

NormPosition MarianNormOf(MarianOptionReader& reader) {
  const std::string before = reader.Text("transformer-preprocess");
  const bool is_before = before.find('n') != std::string::npos;
  if (is_before) {
    reader.Require("transformer-preprocess", "n");
    reader.Require("transformer-postprocess", "da");
  } else {
    if (!before.empty() && before != "d") reader.Refuse("transformer-preprocess", "");
    reader.Require("transformer-postprocess", "dan");
  }
  reader.Require("transformer-postprocess-top", is_before ? "n" : "");
  return is_before ? NormPosition::kBefore : NormPosition::kAfter;
}

ActivationKind MarianActivationOf(MarianOptionReader& reader) {
  const std::string name = reader.Text("transformer-ffn-activation");
  if (name == "swish") return ActivationKind::kSilu;
  if (name != "relu") reader.Refuse("transformer-ffn-activation", "relu or swish");
  return ActivationKind::kRelu;
}

EmbeddingTying MarianTyingOf(MarianOptionReader& reader) {
  const bool output = reader.Flag("tied-embeddings");
  const bool both = reader.Flag("tied-embeddings-src");
  if (reader.Flag("tied-embeddings-all") || (output && both)) return EmbeddingTying::kAll;
  // With tied-embeddings-src alone, the two embeddings of ours are copies of one.
  return output ? EmbeddingTying::kDecoder : EmbeddingTying::kNone;
}

}  // namespace

TransformerShape ParseMarianOptions(const std::string& yaml, const std::string& source) {
  MarianOptionReader reader(yaml, source);
  RequirePlainTransformer(reader);
  TransformerShape shape;
  ModelOptions& options = shape.options;
  options.encoder_layers = reader.Count("enc-depth");
  options.decoder_layers = reader.Count("dec-depth");
  options.model_width = reader.Count("dim-emb");
  options.feed_forward_width = reader.Count("transformer-dim-ffn");
  options.heads = reader.Count("transformer-heads");
  if (options.model_width % std::max<int64_t>(1, options.heads) != 0) {
    reader.Refuse("transformer-heads", "a divisor of dim-emb");
  }
  options.norm = MarianNormOf(reader);
  options.activation = MarianActivationOf(reader);
  options.tie_embeddings = MarianTyingOf(reader);
  options.layer_norm_epsilon = kMarianEpsilon;
  if (reader.Flag("transformer-train-position-embeddings") ||
      reader.Flag("transformer-train-positions")) {
    options.positions.kind = PositionKind::kLearned;
    options.scale_embeddings = false;
  }
  shape.source_vocabulary = reader.CountAt("dim-vocabs", 0);
  shape.target_vocabulary = reader.CountAt("dim-vocabs", 1);
  reader.ThrowIfRefused();
  return shape;
}

}  // namespace heed
