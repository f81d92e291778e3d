#include "export/ctranslate2_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "export/ctranslate2_names.h"
#include "export/ctranslate2_reader.h"
#include "util/check.h"
#include "util/json_file.h"
#include "util/line_reader.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

int64_t CountLayers(const Ctranslate2Reader& reader, const std::string& stack) {
  int64_t layers = 0;
  while (
      reader.Contains(fmt::format("{}/layer_{}/self_attention/linear_0/weight", stack, layers))) {
    ++layers;
  }
  return layers;
}

// An attribute that both stacks have; Heed's are the same in both.
int64_t BothStacks(const Ctranslate2Reader& reader, const std::string& attribute, int64_t absent) {
  const double encoder = reader.Scalar("encoder/" + attribute).value_or(absent);
  const double decoder = reader.Scalar("decoder/" + attribute).value_or(absent);
  constexpr double kMost = 1e9;
  if (encoder != decoder || encoder != std::floor(encoder) || std::abs(encoder) > kMost) {
    ThrowUserError("{}: {} is {} in the encoder and {} in the decoder; Heed has one for both",
                   reader.path().string(), attribute, encoder, decoder);
  }
  return static_cast<int64_t>(encoder);
}

double EpsilonOf(const nlohmann::json& config) {
  constexpr double kUnlessGiven = 1e-5;
  const auto given = config.find("layer_norm_epsilon");
  return given != config.end() && given->is_number() ? given->get<double>() : kUnlessGiven;
}

EmbeddingTying TyingOf(const Ctranslate2Reader& reader) {
  if (reader.IsAlias("encoder/embeddings_0/weight")) return EmbeddingTying::kAll;
  if (reader.IsAlias("decoder/projection/weight")) return EmbeddingTying::kDecoder;
  return EmbeddingTying::kNone;
}

ModelOptions ReadOptions(const Ctranslate2Reader& reader, const nlohmann::json& config) {
  ModelOptions options;
  options.encoder_layers = CountLayers(reader, "encoder");
  options.decoder_layers = CountLayers(reader, "decoder");
  options.model_width = reader.Rows("decoder/embeddings/weight").columns;
  options.feed_forward_width = reader.Rows("encoder/layer_0/ffn/linear_0/weight").rows;
  constexpr int64_t kHeads = 8;  // where the file says nothing
  options.heads = BothStacks(reader, "num_heads", kHeads);
  options.norm =
      BothStacks(reader, "pre_norm", 1) != 0 ? NormPosition::kBefore : NormPosition::kAfter;
  options.layer_norm_epsilon = EpsilonOf(config);
  options.activation = ActivationFromCtranslate2(BothStacks(reader, "activation", 0));
  options.gated = reader.Contains("encoder/layer_0/ffn/linear_0_noact/weight");
  options.positions.kind = PositionKind::kLearned;  // a table is a table
  options.positions.max_length = reader.Rows(kCtranslate2DecoderPositions).rows;
  options.scale_embeddings = BothStacks(reader, "scale_embeddings", 1) != 0;
  options.tie_embeddings = TyingOf(reader);
  const bool from_zero = reader.Scalar("decoder/start_from_zero_embedding").value_or(0) != 0;
  options.decoder_start = from_zero ? DecoderStart::kZero : DecoderStart::kLearned;
  options.projection_bias = reader.Contains("encoder/layer_0/self_attention/linear_0/bias");
  options.output_bias = reader.Contains("decoder/projection/bias");
  return options;
}

// A few bytes of aliases could make many layers of one.
void RequireOwnLayers(const Ctranslate2Reader& reader, const TensorNames& names) {
  for (const TensorName& name : names) {
    const bool is_of_layer = name.theirs.find("/layer_") != std::string::npos;
    if (!is_of_layer || !reader.IsAlias(name.theirs)) continue;
    ThrowUserError("{}: '{}' stands for another tensor; layers of Heed's models share none",
                   reader.path().string(), name.theirs);
  }
}

// JSON since CTranslate2 3.12, plain lines before.
std::vector<std::string> ReadVocabulary(const fs::path& directory, const std::string& side) {
  std::error_code ignored;
  for (const std::string& name : {std::string(kCtranslate2SharedVocabulary), side}) {
    const fs::path path = directory / name;
    const fs::path lines = fs::path(path).replace_extension(".txt");
    if (fs::exists(lines, ignored)) return ReadLines(lines);
    if (!fs::exists(path, ignored) && name != side) continue;
    try {
      return ReadJsonFile(path).get<std::vector<std::string>>();
    } catch (const nlohmann::json::exception&) {
      ThrowUserError("{} is not a list of strings", path.string());
    }
  }
  return {};
}

template <class Value>
Value Get(const nlohmann::json& config, const char* key, Value absent) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return absent;
  try {
    return found->get<Value>();
  } catch (const nlohmann::json::exception&) {
    ThrowUserError("{}: '{}' has the wrong type", kCtranslate2ConfigFile, key);
  }
}

int32_t FindBegin(const Ctranslate2Directory& model) {
  const auto found = std::ranges::find(model.target_pieces, model.decoder_start);
  if (found == model.target_pieces.end()) {
    ThrowUserError("{} names no decoder_start_token of the vocabulary", kCtranslate2ConfigFile);
  }
  return static_cast<int32_t>(found - model.target_pieces.begin());
}

}  // namespace

Ctranslate2Directory OpenCtranslate2(const fs::path& directory) {
  Ctranslate2Directory model;
  model.reader = std::make_shared<Ctranslate2Reader>(directory / kCtranslate2ModelFile);
  const nlohmann::json config = ReadJsonFile(directory / kCtranslate2ConfigFile);
  model.options = ReadOptions(*model.reader, config);
  RequireOwnLayers(*model.reader, Ctranslate2Names(model.options));
  model.source_pieces = ReadVocabulary(directory, kCtranslate2SourceVocabulary);
  model.target_pieces = ReadVocabulary(directory, kCtranslate2TargetVocabulary);
  model.unknown = Get<std::string>(config, "unk_token", "<unk>");
  model.end = Get<std::string>(config, "eos_token", "</s>");
  model.begin = Get<std::string>(config, "bos_token", "<s>");
  model.decoder_start = Get<std::string>(config, "decoder_start_token", model.begin);
  model.adds_source_begin = Get(config, "add_source_bos", false);
  model.adds_source_end = Get(config, "add_source_eos", false);
  return model;
}

ReadBackModel ReadCtranslate2Model(const fs::path& directory) {
  const Ctranslate2Directory model = OpenCtranslate2(directory);
  TransformerShape shape{.options = model.options,
                         .source_vocabulary = std::ssize(model.source_pieces),
                         .target_vocabulary = std::ssize(model.target_pieces)};
  if (shape.options.decoder_start == DecoderStart::kLearned) shape.begin_id = FindBegin(model);
  RequirePlausible(shape);
  TensorNames names = Ctranslate2Names(shape.options);
  names.push_back({kCtranslate2EncoderPositions, "encoder.positions"});
  names.push_back({kCtranslate2DecoderPositions, "decoder.positions"});
  const auto open = [reader = model.reader](const std::string& name) { return reader->Rows(name); };
  return {.shape = shape, .fill = FillFrom(shape, names, open)};
}

}  // namespace heed
