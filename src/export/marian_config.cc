#include "export/marian_config.h"

#include <fmt/ranges.h>

#include <map>

#include "config/scalar_text.h"

namespace heed {
namespace {

using YamlOptions = std::map<std::string, std::string>;  // value as YAML

std::string YamlText(bool value) {
  return value ? "true" : "false";
}
std::string YamlText(int64_t value) {
  return fmt::format("{}", value);
}

// What no model of ours has: factors, recurrent cells, average attention and the like.
YamlOptions FixedYaml() {
  return {{"bert-train-type-embeddings", "true"},
          {"bert-type-vocab-size", "2"},
          {"dec-cell", "gru"},
          {"dec-cell-base-depth", "2"},
          {"dec-cell-high-depth", "1"},
          {"dim-rnn", "1024"},
          {"enc-cell", "gru"},
          {"enc-cell-depth", "1"},
          {"enc-type", "bidirectional"},
          {"factors-combine", "sum"},
          {"factors-dim-emb", "0"},
          {"input-types", "[]"},
          {"layer-normalization", "false"},
          {"lemma-dependency", R"("")"},
          {"lemma-dim-emb", "0"},
          {"output-omit-bias", "false"},
          {"right-left", "false"},
          {"skip", "false"},
          {"special-vocab", "[]"},
          {"transformer-aan-activation", "swish"},
          {"transformer-aan-depth", "2"},
          {"transformer-aan-nogate", "false"},
          {"transformer-decoder-autoreg", "self-attention"},
          {"transformer-decoder-dim-ffn", "0"},
          {"transformer-decoder-ffn-depth", "0"},
          {"transformer-depth-scaling", "false"},
          {"transformer-dim-aan", "2048"},
          {"transformer-ffn-depth", "2"},
          {"transformer-guided-alignment-layer", "last"},
          {"transformer-no-projection", "false"},
          {"transformer-pool", "false"},
          {"transformer-postprocess-emb", "d"},
          {"transformer-rnn-projection", "false"},
          {"transformer-tied-layers", "[]"},
          {"transformer-train-position-embeddings", "false"},
          {"type", "transformer"},
          {"ulr", "false"},
          {"ulr-dim-emb", "0"},
          {"ulr-trainable-transformation", "false"},
          {"version", "v1.12.0 written by Heed"}};
}

// Letters: d dropout, a add the input, n norm.
void AddNormYaml(YamlOptions& options, NormPosition norm) {
  const bool before = norm == NormPosition::kBefore;
  options["transformer-preprocess"] = before ? "n" : R"("")";
  options["transformer-postprocess"] = before ? "da" : "dan";
  options["transformer-postprocess-top"] = before ? "n" : R"("")";
}

// score / tokens^alpha, Marian's only rule.
std::string NormalizeText(const LengthPenaltyOptions& penalty) {
  return penalty.kind == LengthPenaltyKind::kNone ? "0" : FormatNumber(penalty.alpha);
}

}  // namespace

std::string MarianActivation(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::kRelu:
      return "relu";
    case ActivationKind::kSilu:
      return "swish";
    case ActivationKind::kGelu:
      break;  // Marian's gelu is x * sigmoid(1.702 x), ours is exact
  }
  return "";
}

std::string MarianModelYaml(const TransformerShape& shape) {
  const ModelOptions& model = shape.options;
  YamlOptions options = FixedYaml();
  options["dim-vocabs"] = fmt::format("[{}, {}]", shape.source_vocabulary, shape.target_vocabulary);
  options["dim-emb"] = YamlText(model.model_width);
  options["enc-depth"] = YamlText(model.encoder_layers);
  options["dec-depth"] = YamlText(model.decoder_layers);
  options["transformer-heads"] = YamlText(model.heads);
  options["transformer-dim-ffn"] = YamlText(model.feed_forward_width);
  options["transformer-ffn-activation"] = MarianActivation(model.activation);
  options["tied-embeddings"] = YamlText(model.tie_embeddings == EmbeddingTying::kDecoder);
  options["tied-embeddings-src"] = YamlText(false);
  options["tied-embeddings-all"] = YamlText(model.tie_embeddings == EmbeddingTying::kAll);
  AddNormYaml(options, model.norm);
  std::string yaml;
  for (const auto& [key, value] : options) yaml += fmt::format("{}: {}\n", key, value);
  return yaml;
}

std::string MarianDecoderYaml(const MarianFiles& files, const DecodingOptions& decoding) {
  std::string yaml = "relative-paths: true\n";
  yaml += fmt::format("models:\n  - {}\n", files.model);
  yaml += fmt::format("vocabs:\n  - {}\n", fmt::join(files.vocabularies, "\n  - "));
  yaml += fmt::format("beam-size: {}\n", decoding.beam);
  yaml += fmt::format("normalize: {}\n", NormalizeText(decoding.length_penalty));
  yaml += "word-penalty: 0\n";
  if (!decoding.suppress_unknown) yaml += "allow-unk: true\n";
  yaml += "mini-batch: 16\nmaxi-batch: 100\nmaxi-batch-sort: src\n";
  return yaml;
}

}  // namespace heed
