#include "export/onnx_decoder.h"

#include <fmt/format.h>

#include "export/onnx_layers.h"

namespace heed {
namespace {

struct OnnxKeysValues {
  OnnxValue keys, values;  // [batch, heads, steps, head width]
};

class OnnxDecoderBuilder {
 public:
  OnnxDecoderBuilder(OnnxGraph& graph, const OnnxWeights& weights)
      : graph_(graph), options_(weights.options()), layers_(graph, weights) {
    ids_ = graph.Input({"input_ids", OnnxType::kInt64, {kBatch, "decoder_sequence_length"}});
    padding_ = layers_.HidePadding(
        graph.Input({"encoder_attention_mask", OnnxType::kInt64, {kBatch, kSource}}));
    memory_ = graph.Input(
        {"encoder_hidden_states", OnnxType::kFloat32, {kBatch, kSource, options_.model_width}});
  }

  void Build(const OnnxWeights& weights) {
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      self_.push_back(InputPast(i, "decoder", "past_decoder_sequence_length"));
      cross_.push_back(InputPast(i, "encoder", "encoder_sequence_length_out"));
    }
    const OnnxValue past = layers_.SizeOfAxis(self_.front().keys, 2);
    const OnnxValue end = graph_.Add("Add", {past, layers_.SizeOfAxis(ids_, 1)});
    const OnnxValue positions = layers_.Range(past, end);
    future_ = HideFuture(positions, layers_.Range(graph_.Integers({0}), end));
    new_memory_ = layers_.FromFloat32(MemoryNotCached());

    OnnxValue x = layers_.Embed("decoder", ids_, positions);
    for (int64_t i = 0; i < options_.decoder_layers; ++i) x = Layer(i, x);
    if (options_.norm == NormPosition::kBefore) x = layers_.Normalize(x, "decoder.final_norm");

    graph_.Output(
        {"logits", OnnxType::kFloat32, {kBatch, "decoder_sequence_length", weights.num_tokens()}},
        layers_.ToFloat32(layers_.Logits(x, ids_)));
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      OutputPresent(i, "decoder", "present_decoder_sequence_length", self_[Index(i)]);
      OutputPresent(i, "encoder", kSource, cross_[Index(i)]);
    }
  }

 private:
  static constexpr const char* kBatch = "batch_size";
  static constexpr const char* kSource = "encoder_sequence_length";
  static size_t Index(int64_t i) { return static_cast<size_t>(i); }

  OnnxPort CachePort(const std::string& name, const std::string& steps) const {
    return {name,
            OnnxType::kFloat32,
            {kBatch, options_.heads, steps, options_.model_width / options_.heads}};
  }

  OnnxKeysValues InputPast(int64_t layer, const std::string& stack, const std::string& steps) {
    const auto input = [&](const char* kind) {
      const std::string name = fmt::format("past_key_values.{}.{}.{}", layer, stack, kind);
      return layers_.FromFloat32(graph_.Input(CachePort(name, steps)));
    };
    return {.keys = input("key"), .values = input("value")};
  }

  void OutputPresent(int64_t layer, const std::string& stack, const std::string& steps,
                     const OnnxKeysValues& cache) {
    const auto output = [&](const char* kind, const OnnxValue& value) {
      const std::string name = fmt::format("present.{}.{}.{}", layer, stack, kind);
      graph_.Output(CachePort(name, steps), layers_.ToFloat32(value));
    };
    output("key", cache.keys);
    output("value", cache.values);
  }

  // [new tokens, all tokens]: a token sees none after it.
  OnnxValue HideFuture(const OnnxValue& positions, const OnnxValue& all_positions) {
    const OnnxValue column = graph_.Add("Unsqueeze", {positions, graph_.Integers({1})});
    return layers_.HideWhere(graph_.Add("Greater", {all_positions, column}));
  }

  // The encoder's output if no keys and values have been made of it, or none of its positions.
  OnnxValue MemoryNotCached() {
    const OnnxValue cached = layers_.SizeOfAxis(cross_.front().keys, 2);
    const OnnxValue is_first =
        graph_.Cast(graph_.Add("Equal", {cached, graph_.Integers({0})}), OnnxType::kInt64);
    const OnnxValue length = graph_.Add("Mul", {layers_.SizeOfAxis(memory_, 1), is_first});
    return graph_.Add("Slice", {memory_, graph_.Integers({0}), length, graph_.Integers({1})});
  }

  // Appends keys and values along the axis of steps.
  void Append(const OnnxValue& keys, const OnnxValue& values, OnnxKeysValues& cache) {
    const auto append = [&](OnnxValue& past, const OnnxValue& fresh) {
      past = graph_.Add("Concat", {past, layers_.SplitHeads(fresh)}, {{"axis", int64_t{2}}});
    };
    append(cache.keys, keys);
    append(cache.values, values);
  }

  OnnxValue AttendToSelf(const OnnxValue& x, const std::string& name, OnnxKeysValues& cache) {
    const auto qkv =
        graph_.AddSeveral("Split", {layers_.Linear(x, name + ".qkv")}, {{"axis", int64_t{-1}}}, 3);
    Append(qkv[1], qkv[2], cache);
    const OnnxValue q = layers_.SplitHeads(qkv[0]);
    return layers_.Linear(layers_.Attend(q, cache.keys, cache.values, future_), name + ".output");
  }

  OnnxValue AttendToSource(const OnnxValue& x, const std::string& name, OnnxKeysValues& cache) {
    const auto kv = graph_.AddSeveral("Split", {layers_.Linear(new_memory_, name + ".key_value")},
                                      {{"axis", int64_t{-1}}}, 2);
    Append(kv[0], kv[1], cache);
    const OnnxValue q = layers_.SplitHeads(layers_.Linear(x, name + ".query"));
    return layers_.Linear(layers_.Attend(q, cache.keys, cache.values, padding_), name + ".output");
  }

  // x [batch, target, model] -> the same.  Vaswani et al. 2017, section 3.1.
  OnnxValue Layer(int64_t i, OnnxValue x) {
    const std::string name = fmt::format("decoder.layer{}", i + 1);
    x = layers_.Residual(name + ".self_attention_norm", x, [&](const OnnxValue& in) {
      return AttendToSelf(in, name + ".self_attention", self_[Index(i)]);
    });
    x = layers_.Residual(name + ".cross_attention_norm", x, [&](const OnnxValue& in) {
      return AttendToSource(in, name + ".cross_attention", cross_[Index(i)]);
    });
    return layers_.Residual(name + ".feed_forward_norm", x, [&](const OnnxValue& in) {
      return layers_.FeedForward(in, name + ".feed_forward");
    });
  }

  OnnxGraph& graph_;
  const ModelOptions& options_;
  OnnxLayers layers_;
  OnnxValue ids_, memory_;      // inputs
  OnnxValue padding_, future_;  // what attention does not see
  OnnxValue new_memory_;        // [batch, source or 0, model]
  std::vector<OnnxKeysValues> self_, cross_;
};

}  // namespace

OnnxGraph MakeOnnxDecoder(const OnnxWeights& weights) {
  OnnxGraph graph("decoder");
  OnnxDecoderBuilder(graph, weights).Build(weights);
  return graph;
}

}  // namespace heed
