#include "export/onnx_layers.h"

#include <cmath>
#include <numbers>

#include "util/check.h"

namespace heed {

OnnxLayers::OnnxLayers(OnnxGraph& graph, const OnnxWeights& weights)
    : graph_(graph), weights_(weights) {}

std::string OnnxLayers::TableOf(const std::string& stack) const {
  if (weights_.options().tie_embeddings == EmbeddingTying::kAll) return "embedding.weight";
  return stack == "encoder" ? "source_embedding.weight" : "target_embedding.weight";
}

OnnxValue OnnxLayers::Rows(const std::string& table, const OnnxValue& ids) {
  if (!weights_.is_quantized()) {
    return graph_.Add("Gather", {graph_.Tensor(weights_.Floats(table)), ids});
  }
  const OnnxByteMatrix matrix = weights_.Bytes(table);
  const OnnxValue bytes = graph_.Add("Gather", {graph_.Tensor(matrix.bytes), ids});
  const OnnxValue scales = graph_.Add("Gather", {graph_.Tensor(matrix.scales), ids});
  return graph_.Add("Mul", {graph_.Cast(bytes, OnnxType::kFloat32),
                            graph_.Add("Unsqueeze", {scales, graph_.Integers({-1})})});
}

OnnxValue OnnxLayers::Embed(const std::string& stack, const OnnxValue& ids,
                            const OnnxValue& positions) {
  const ModelOptions& options = weights_.options();
  OnnxValue x = Rows(TableOf(stack), ids);
  if (options.scale_embeddings) {
    const double scale = std::sqrt(static_cast<double>(options.model_width));
    x = graph_.Add("Mul", {x, Number("embedding_scale", scale)});
  }
  if (options.positions.kind == PositionKind::kNone) return x;
  const OnnxValue table = graph_.Tensor(weights_.Positions(stack));
  return graph_.Add("Add", {x, graph_.Add("Gather", {table, positions})});
}

// As onnxruntime.quantization.quantize_dynamic makes it, so that runtimes know it: x in bytes with
// one scale for all, a product of integers, and the scales of both.
OnnxValue OnnxLayers::QuantizedProduct(const OnnxValue& x, const OnnxValue& bytes,
                                       const OnnxValue& scales) {
  const auto quantized = graph_.AddSeveral("DynamicQuantizeLinear", {x}, {}, 3);
  const OnnxValue product = graph_.Add("MatMulInteger", {quantized[0], bytes, quantized[2]});
  return graph_.Add(
      "Mul", {graph_.Cast(product, OnnxType::kFloat32), graph_.Add("Mul", {quantized[1], scales})});
}

OnnxValue OnnxLayers::Linear(const OnnxValue& x, const std::string& name) {
  const std::string weight = name + ".weight", bias = name + ".bias";
  OnnxValue y;
  if (weights_.is_quantized()) {
    const OnnxByteMatrix matrix = weights_.Bytes(weight);
    y = QuantizedProduct(x, graph_.Tensor(matrix.bytes), graph_.Tensor(matrix.scales));
  } else {
    y = graph_.Add("MatMul", {x, graph_.Tensor(weights_.Floats(weight))});
  }
  if (!weights_.Contains(bias)) return y;
  return graph_.Add("Add", {y, graph_.Tensor(weights_.Floats(bias))});
}

OnnxValue OnnxLayers::Normalize(const OnnxValue& x, const std::string& name) {
  return graph_.Add("LayerNormalization",
                    {x, graph_.Tensor(weights_.Floats(name + ".weight")),
                     graph_.Tensor(weights_.Floats(name + ".bias"))},
                    {{"axis", int64_t{-1}}, {"epsilon", weights_.options().layer_norm_epsilon}});
}

OnnxValue OnnxLayers::Activate(const OnnxValue& x) {
  switch (weights_.options().activation) {
    case ActivationKind::kRelu:
      return graph_.Add("Relu", {x});
    case ActivationKind::kSilu:
      return graph_.Add("Mul", {x, graph_.Add("Sigmoid", {x})});
    case ActivationKind::kGelu: {
      // x/2 (1 + erf(x / sqrt(2))), Hendrycks and Gimpel 2016
      const OnnxValue scaled = graph_.Add("Mul", {x, Number("half_root", 1 / std::numbers::sqrt2)});
      const OnnxValue sum = graph_.Add("Add", {graph_.Add("Erf", {scaled}), Number("one", 1)});
      return graph_.Add("Mul", {graph_.Add("Mul", {x, sum}), Number("half", 0.5)});
    }
  }
  HEED_CHECK(false, "an activation of no kind");
  return {};
}

OnnxValue OnnxLayers::FeedForward(const OnnxValue& x, const std::string& name) {
  const OnnxValue up = Linear(x, name + ".up");
  if (!weights_.options().gated) return Linear(Activate(up), name + ".down");
  const auto halves = graph_.AddSeveral("Split", {up}, {{"axis", int64_t{-1}}}, 2);
  return Linear(graph_.Add("Mul", {Activate(halves[0]), halves[1]}), name + ".down");
}

OnnxValue OnnxLayers::SplitHeads(const OnnxValue& x) {
  const ModelOptions& options = weights_.options();
  // 0 keeps a size.
  const OnnxValue shape =
      graph_.Integers({0, 0, options.heads, options.model_width / options.heads});
  return graph_.Add("Transpose", {graph_.Add("Reshape", {x, shape})},
                    {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
}

OnnxValue OnnxLayers::Attend(const OnnxValue& q, const OnnxValue& k, const OnnxValue& v,
                             const OnnxValue& hidden) {
  const ModelOptions& options = weights_.options();
  const int64_t head_width = options.model_width / options.heads;
  const double scale = 1 / std::sqrt(static_cast<double>(head_width));
  const OnnxValue keys = graph_.Add("Transpose", {k}, {{"perm", std::vector<int64_t>{0, 1, 3, 2}}});
  const OnnxValue scaled = graph_.Add("Mul", {q, Number("attention_scale", scale)});
  const OnnxValue scores = graph_.Add("Add", {graph_.Add("MatMul", {scaled, keys}), hidden});
  const OnnxValue probabilities = graph_.Add("Softmax", {scores}, {{"axis", int64_t{-1}}});
  const OnnxValue attended = graph_.Add("Transpose", {graph_.Add("MatMul", {probabilities, v})},
                                        {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
  return graph_.Add("Reshape", {attended, graph_.Integers({0, 0, options.model_width})});
}

OnnxValue OnnxLayers::HideWhere(const OnnxValue& is_hidden) {
  // In float16, the sum with a score must be finite too.
  const double far_below = weights_.real() == OnnxType::kFloat16 ? -3e4 : -1e9;
  return graph_.Add("Mul", {graph_.Cast(is_hidden, weights_.real()), Number("hidden", far_below)});
}

OnnxValue OnnxLayers::HidePadding(const OnnxValue& mask) {
  const OnnxValue is_padding = graph_.Add("Equal", {mask, graph_.Integer(0)});
  return graph_.Add("Unsqueeze", {HideWhere(is_padding), graph_.Integers({1, 2})});
}

OnnxValue OnnxLayers::Logits(const OnnxValue& x, const OnnxValue& ids) {
  const ModelOptions& options = weights_.options();
  const std::string table =
      options.tie_embeddings == EmbeddingTying::kNone ? "output.weight" : TableOf("decoder");
  const OnnxValue bias = graph_.Tensor(weights_.Floats("output.bias"));
  if (weights_.is_quantized()) {
    const OnnxByteMatrix matrix = weights_.Bytes(table);
    const OnnxValue columns = graph_.Add("Transpose", {graph_.Tensor(matrix.bytes)},
                                         {{"perm", std::vector<int64_t>{1, 0}}});
    return graph_.Add("Add", {QuantizedProduct(x, columns, graph_.Tensor(matrix.scales)), bias});
  }
  // Gemm takes a table as it is, so that runtimes need no second, transposed one.
  const OnnxValue rows = graph_.Add("Reshape", {x, graph_.Integers({-1, options.model_width})});
  const OnnxValue logits = graph_.Add("Gemm", {rows, graph_.Tensor(weights_.Floats(table)), bias},
                                      {{"transB", int64_t{1}}});
  const OnnxValue shape =
      graph_.Add("Concat", {graph_.Add("Shape", {ids}), graph_.Integers({weights_.num_tokens()})},
                 {{"axis", int64_t{0}}});
  return graph_.Add("Reshape", {logits, shape});
}

OnnxValue OnnxLayers::SizeOfAxis(const OnnxValue& x, int64_t axis) {
  return graph_.Add("Shape", {x}, {{"start", axis}, {"end", axis + 1}});
}

OnnxValue OnnxLayers::Range(const OnnxValue& first, const OnnxValue& end) {
  return graph_.Add(
      "Range", {graph_.Add("Squeeze", {first}), graph_.Add("Squeeze", {end}), graph_.Integer(1)});
}

OnnxValue OnnxLayers::Number(const std::string& name, double value) {
  return graph_.Tensor(weights_.Number(name, value));
}

OnnxValue OnnxLayers::CastUnless(OnnxType type, const OnnxValue& x) {
  return weights_.real() == OnnxType::kFloat32 ? x : graph_.Cast(x, type);
}

}  // namespace heed
