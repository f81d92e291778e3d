#include "export/huggingface_model.h"

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/checkpoint.h"
#include "checkpoint/safetensors_reader.h"
#include "export/huggingface_names.h"
#include "util/check.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct NamedActivation {
  const char* name;
  ActivationKind kind;
};
constexpr auto kNamedActivations =
    std::to_array<NamedActivation>({{"relu", ActivationKind::kRelu},
                                    {"gelu", ActivationKind::kGelu},
                                    {"silu", ActivationKind::kSilu},
                                    {"swish", ActivationKind::kSilu}});

ActivationKind ActivationOf(const json& config) {
  const auto name = config.at("activation_function").get<std::string>();
  for (const NamedActivation& entry : kNamedActivations) {
    if (entry.name == name) return entry.kind;
  }
  ThrowUserError("the activation function is {}; Heed has relu, gelu and silu", name);
}

NormPosition NormOf(const json& config) {
  const auto type = config.at("model_type").get<std::string>();
  if (type == "marian") return NormPosition::kAfter;
  if (type == "pegasus") return NormPosition::kBefore;
  ThrowUserError("the model_type is {}; Heed reads marian and pegasus", type);
}

// A number that both stacks have; Heed's are the same in both.
int64_t SameInBoth(const json& config, const std::string& key) {
  const auto encoder = config.at("encoder_" + key).get<int64_t>();
  const auto decoder = config.at("decoder_" + key).get<int64_t>();
  if (encoder != decoder) {
    ThrowUserError("encoder_{0} is {1} and decoder_{0} is {2}; Heed has one for both", key, encoder,
                   decoder);
  }
  return encoder;
}

TransformerShape ReadShape(const json& config) {
  TransformerShape shape;
  ModelOptions& options = shape.options;
  options.encoder_layers = config.at("encoder_layers").get<int64_t>();
  options.decoder_layers = config.at("decoder_layers").get<int64_t>();
  options.model_width = config.at("d_model").get<int64_t>();
  options.feed_forward_width = SameInBoth(config, "ffn_dim");
  options.heads = SameInBoth(config, "attention_heads");
  options.norm = NormOf(config);
  options.layer_norm_epsilon = 1e-5;  // built into the classes
  options.activation = ActivationOf(config);
  options.positions.kind = PositionKind::kLearned;
  options.positions.max_length = config.at("max_position_embeddings").get<int64_t>();
  options.scale_embeddings = config.at("scale_embedding").get<bool>();
  options.tie_embeddings = config.value("share_encoder_decoder_embeddings", true)
                               ? EmbeddingTying::kAll
                           : config.value("tie_word_embeddings", true) ? EmbeddingTying::kDecoder
                                                                       : EmbeddingTying::kNone;
  options.decoder_start = DecoderStart::kLearned;  // the padding token's zeros are a token too
  shape.source_vocabulary = config.at("vocab_size").get<int64_t>();
  shape.target_vocabulary = config.value("decoder_vocab_size", shape.source_vocabulary);
  shape.begin_id = config.at("decoder_start_token_id").get<int32_t>();
  return shape;
}

}  // namespace

ReadBackModel ReadHuggingFaceModel(const fs::path& directory) {
  const fs::path config_file = directory / "config.json";
  const json config = ReadJsonFile(config_file);
  TransformerShape shape;
  try {
    shape = ReadShape(config);
  } catch (const json::exception& error) {
    ThrowUserError("{} does not describe a model: {}", config_file.string(), error.what());
  }
  RequirePlausible(shape);
  const auto reader = std::make_shared<SafetensorsReader>(directory / kModelFile);
  TensorNames names = HuggingFaceNames(shape.options);
  names.push_back({kHuggingFaceEncoderPositions, "encoder.positions"});
  names.push_back({kHuggingFaceDecoderPositions, "decoder.positions"});
  const auto open = [reader](const std::string& name) { return TensorRows(reader->Get(name)); };
  return {.shape = shape, .fill = FillFrom(shape, names, open)};
}

}  // namespace heed
