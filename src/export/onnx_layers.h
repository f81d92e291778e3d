// The layers of a Transformer (Vaswani et al. 2017) as operators of ONNX, with the same names as in
// src/models/transformer. Batches are padded here: [batch, steps, model] between layers.
#pragma once

#include <string>
#include <string_view>

#include "export/onnx_graph.h"
#include "export/onnx_weights.h"

namespace heed {

class OnnxLayers {
 public:
  // Adds to the graph; both must outlive this.
  OnnxLayers(OnnxGraph& graph, const OnnxWeights& weights);

  // Embedding plus position.  ids int64 [batch, steps], positions int64 [steps]
  OnnxValue Embed(const std::string& stack, const OnnxValue& ids, const OnnxValue& positions);

  // x [..., in] -> [..., out]
  OnnxValue Linear(const OnnxValue& x, const std::string& name);
  OnnxValue Normalize(const OnnxValue& x, const std::string& name);
  OnnxValue FeedForward(const OnnxValue& x, const std::string& name);

  // post-norm: norm(x + sublayer(x)); pre-norm: x + sublayer(norm(x)).
  template <class Sublayer>
  OnnxValue Residual(const std::string& norm, const OnnxValue& x, const Sublayer& sublayer) {
    if (weights_.options().norm == NormPosition::kBefore) {
      return graph_.Add("Add", {sublayer(Normalize(x, norm)), x});
    }
    return Normalize(graph_.Add("Add", {sublayer(x), x}), norm);
  }

  // [batch, steps, model] -> [batch, heads, steps, head width]
  OnnxValue SplitHeads(const OnnxValue& x);
  // Softmax(q k' / sqrt(head width) + hidden) v, heads joined: [batch, steps, model].
  OnnxValue Attend(const OnnxValue& q, const OnnxValue& k, const OnnxValue& v,
                   const OnnxValue& hidden);
  // What Attend adds: far below any score where `is_hidden`, a bool, is true, 0 elsewhere.
  OnnxValue HideWhere(const OnnxValue& is_hidden);
  // The same of a client's mask of tokens, int64 [batch, steps] -> [batch, 1, 1, steps].
  OnnxValue HidePadding(const OnnxValue& mask);

  // [batch, steps, model] -> [batch, steps, vocabulary]; ids int64 [batch, steps]
  OnnxValue Logits(const OnnxValue& x, const OnnxValue& ids);

  // Size of an axis, int64 [1].
  OnnxValue SizeOfAxis(const OnnxValue& x, int64_t axis);
  // first, first + 1, ... until `end`; all int64, the two [1].
  OnnxValue Range(const OnnxValue& first, const OnnxValue& end);
  // Between the float32 of inputs and outputs and what the graph computes in.
  OnnxValue FromFloat32(const OnnxValue& x) { return CastUnless(weights_.real(), x); }
  OnnxValue ToFloat32(const OnnxValue& x) { return CastUnless(OnnxType::kFloat32, x); }

 private:
  OnnxValue Number(const std::string& name, double value);
  OnnxValue CastUnless(OnnxType type, const OnnxValue& x);
  OnnxValue Activate(const OnnxValue& x);
  OnnxValue Rows(const std::string& table, const OnnxValue& ids);
  OnnxValue QuantizedProduct(const OnnxValue& x, const OnnxValue& bytes, const OnnxValue& scales);
  std::string TableOf(const std::string& stack) const;

  OnnxGraph& graph_;
  const OnnxWeights& weights_;
};

}  // namespace heed
