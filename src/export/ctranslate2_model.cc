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

std::vector<std::string> ReadVocabulary(const fs::path& directory, const char* side) {
  std::error_code ignored;
  const fs::path shared = directory / kCtranslate2SharedVocabulary;
  const fs::path path = fs::exists(shared, ignored) ? shared : directory / side;
  try {
    return ReadJsonFile(path).get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    ThrowUserError("{} is not a list of strings", path.string());
  }
}

int32_t FindBegin(const nlohmann::json& config, const std::vector<std::string>& vocabulary) {
  const auto mark = config.find("decoder_start_token");
  const bool is_text = mark != config.end() && mark->is_string();
  const auto found =
      is_text ? std::ranges::find(vocabulary, mark->get<std::string>()) : vocabulary.end();
  if (found == vocabulary.end()) {
    ThrowUserError("{} names no decoder_start_token of the vocabulary", kCtranslate2ConfigFile);
  }
  return static_cast<int32_t>(found - vocabulary.begin());
}

}  // namespace

ReadBackModel ReadCtranslate2Model(const fs::path& directory) {
  const auto reader = std::make_shared<Ctranslate2Reader>(directory / kCtranslate2ModelFile);
  const nlohmann::json config = ReadJsonFile(directory / kCtranslate2ConfigFile);
  const auto source = ReadVocabulary(directory, kCtranslate2SourceVocabulary);
  const auto target = ReadVocabulary(directory, kCtranslate2TargetVocabulary);
  TransformerShape shape{.options = ReadOptions(*reader, config),
                         .source_vocabulary = std::ssize(source),
                         .target_vocabulary = std::ssize(target)};
  if (shape.options.decoder_start == DecoderStart::kLearned) {
    shape.begin_id = FindBegin(config, target);
  }
  RequirePlausible(shape);
  TensorNames names = Ctranslate2Names(shape.options);
  RequireOwnLayers(*reader, names);
  names.push_back({kCtranslate2EncoderPositions, "encoder.positions"});
  names.push_back({kCtranslate2DecoderPositions, "decoder.positions"});
  const auto open = [reader](const std::string& name) { return reader->Rows(name); };
  RequireTensorsFit(shape, names, open);
  return {.shape = shape, .fill = [open, names](const ParameterStore& parameters) {
            FillParameters(parameters, names, open);
          }};
}

}  // namespace heed
