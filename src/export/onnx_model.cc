#include "export/onnx_model.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "export/onnx_files.h"
#include "export/onnx_reader.h"
#include "models/model_factory.h"
#include "util/check.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

struct OnnxFilePair {
  std::shared_ptr<const OnnxReader> encoder, decoder;
};

OnnxFilePair OpenOnnxFiles(const fs::path& directory) {
  std::error_code ignored;
  for (const ElementType type :
       {ElementType::kFloat32, ElementType::kFloat16, ElementType::kInt8}) {
    if (!fs::exists(OnnxEncoderFile(directory, type), ignored)) continue;
    return {.encoder = std::make_shared<OnnxReader>(OnnxEncoderFile(directory, type)),
            .decoder = std::make_shared<OnnxReader>(OnnxDecoderFile(directory, type))};
  }
  ThrowUserError("{} does not exist", OnnxEncoderFile(directory, ElementType::kFloat32).string());
}

int64_t CountOnnxLayers(const OnnxReader& reader, const std::string& stack) {
  int64_t layers = 0;
  while (reader.Contains(fmt::format("{}.layer{}.feed_forward_norm.weight", stack, layers + 1))) {
    ++layers;
  }
  return layers;
}

// A model with one table has it in both files.
std::string OnnxTableName(const OnnxReader& reader, const std::string& own) {
  return reader.Contains(own) ? own : "embedding.weight";
}

ActivationKind OnnxActivation(const OnnxReader& reader) {
  if (reader.Runs("Erf")) return ActivationKind::kGelu;
  return reader.Runs("Sigmoid") ? ActivationKind::kSilu : ActivationKind::kRelu;
}

int32_t OnnxBeginId(const fs::path& directory) {
  const fs::path path = directory / "config.json";
  try {
    return ReadJsonFile(path).at("decoder_start_token_id").get<int32_t>();
  } catch (const nlohmann::json::exception& error) {
    ThrowUserError("{} does not describe a model: {}", path.string(), error.what());
  }
}

TransformerShape ShapeOfOnnxFiles(const OnnxFilePair& files, const fs::path& directory) {
  const auto& [encoder, decoder] = files;
  const RowSource source = encoder->Rows(OnnxTableName(*encoder, "source_embedding.weight"));
  const RowSource target = decoder->Rows(OnnxTableName(*decoder, "target_embedding.weight"));
  TransformerShape shape{.options = {},
                         .source_vocabulary = source.rows,
                         .target_vocabulary = target.rows,
                         .begin_id = OnnxBeginId(directory)};
  ModelOptions& options = shape.options;
  options.encoder_layers = CountOnnxLayers(*encoder, "encoder");
  options.decoder_layers = CountOnnxLayers(*decoder, "decoder");
  options.model_width = target.columns;
  options.feed_forward_width = encoder->Rows("encoder.layer1.feed_forward.down.weight").columns;
  options.heads = decoder->InputSize("past_key_values.0.decoder.key", 1);
  options.norm =
      decoder->Contains("decoder.final_norm.weight") ? NormPosition::kBefore : NormPosition::kAfter;
  options.layer_norm_epsilon = decoder->LayerNormEpsilon();
  options.activation = OnnxActivation(*decoder);
  options.gated =
      encoder->Rows("encoder.layer1.feed_forward.up.weight").rows != options.feed_forward_width;
  options.positions.kind = PositionKind::kNone;
  if (decoder->Contains("decoder.positions")) {
    options.positions.kind = PositionKind::kLearned;  // a table is a table
    options.positions.max_length = decoder->Rows("decoder.positions").rows;
  }
  options.scale_embeddings = decoder->Contains("embedding_scale");
  options.tie_embeddings =
      decoder->Contains("output.weight") ? EmbeddingTying::kNone : EmbeddingTying::kDecoder;
  options.decoder_start = DecoderStart::kLearned;  // the padding token's zeros are a token too
  options.projection_bias = decoder->Contains("decoder.layer1.feed_forward.up.bias");
  return shape;
}

// Every parameter by its own name.
TensorNames OnnxNames(const TransformerShape& shape) {
  ParameterStore parameters;  // declared, never allocated
  MakeModel(parameters, shape, false);
  TensorNames names;
  for (const auto& parameter : parameters.parameters()) {
    names.push_back({parameter->name, parameter->name});
  }
  return names;
}

}  // namespace

ReadBackModel ReadOnnxModel(const fs::path& directory) {
  const OnnxFilePair files = OpenOnnxFiles(directory);
  const TransformerShape shape = ShapeOfOnnxFiles(files, directory);
  RequirePlausible(shape);
  const auto open = [files](const std::string& name) {
    const bool is_encoders = name.starts_with("encoder.") || name.starts_with("source_");
    const OnnxReader& reader = is_encoders ? *files.encoder : *files.decoder;
    return reader.Rows(name.ends_with("embedding.weight") ? OnnxTableName(reader, name) : name);
  };
  return {.shape = shape, .fill = FillFrom(shape, OnnxNames(shape), open)};
}

}  // namespace heed
