#include "export/onnx_encoder.h"

#include <fmt/format.h>

#include "export/onnx_layers.h"

namespace heed {
namespace {

// x [batch, source, model] -> the same.  Vaswani et al. 2017, section 3.1.
OnnxValue OnnxEncoderLayer(OnnxGraph& graph, OnnxLayers& layers, const std::string& name,
                           const OnnxValue& x, const OnnxValue& padding) {
  const OnnxValue attended = layers.Residual(name + ".attention_norm", x, [&](const OnnxValue& in) {
    const OnnxValue qkv = layers.Linear(in, name + ".self_attention.qkv");
    const auto parts = graph.AddSeveral("Split", {qkv}, {{"axis", int64_t{-1}}}, 3);
    const OnnxValue out = layers.Attend(layers.SplitHeads(parts[0]), layers.SplitHeads(parts[1]),
                                        layers.SplitHeads(parts[2]), padding);
    return layers.Linear(out, name + ".self_attention.output");
  });
  return layers.Residual(name + ".feed_forward_norm", attended, [&](const OnnxValue& in) {
    return layers.FeedForward(in, name + ".feed_forward");
  });
}

}  // namespace

OnnxGraph MakeOnnxEncoder(const OnnxWeights& weights) {
  const ModelOptions& options = weights.options();
  const std::string batch = "batch_size", source = "encoder_sequence_length";
  OnnxGraph graph("encoder");
  OnnxLayers layers(graph, weights);
  const OnnxValue ids = graph.Input({"input_ids", OnnxType::kInt64, {batch, source}});
  const OnnxValue mask = graph.Input({"attention_mask", OnnxType::kInt64, {batch, source}});

  const OnnxValue padding = layers.HidePadding(mask);
  const OnnxValue positions = layers.Range(graph.Integers({0}), layers.SizeOfAxis(ids, 1));
  OnnxValue x = layers.Embed("encoder", ids, positions);
  for (int64_t number = 1; number <= options.encoder_layers; ++number) {
    x = OnnxEncoderLayer(graph, layers, fmt::format("encoder.layer{}", number), x, padding);
  }
  if (options.norm == NormPosition::kBefore) x = layers.Normalize(x, "encoder.final_norm");

  graph.Output({"last_hidden_state", OnnxType::kFloat32, {batch, source, options.model_width}},
               layers.ToFloat32(x));
  return graph;
}

}  // namespace heed
