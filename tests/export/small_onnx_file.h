// An ONNX graph of a few tensors, and of every kind of attribute.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "export/onnx_graph.h"

namespace heed {

template <class Element>
OnnxTensor SmallOnnxTensor(std::string name, OnnxType type, std::vector<int64_t> shape,
                           std::vector<Element> elements) {
  return {.name = std::move(name),
          .type = type,
          .shape = std::move(shape),
          .write = [elements = std::move(elements)](AtomicFile& file) {
            file.Write(elements.data(),
                       std::ssize(elements) * static_cast<int64_t>(sizeof(Element)));
          }};
}

// "a.weight" is [2, 3] for us and [3, 2] in the file, in bytes; "a.bias" float32 [2]; "halves"
// float16 [1, 2]; input "x" int64 [batch, 7].
inline OnnxGraph SmallOnnxGraph() {
  OnnxGraph graph("small");
  const OnnxValue x = graph.Input({"x", OnnxType::kInt64, {"batch", 7}});
  graph.Tensor(SmallOnnxTensor<int8_t>("a.weight_quantized", OnnxType::kInt8, {3, 2},
                                       {1, -127, 2, 0, 127, 3}));
  graph.Tensor(SmallOnnxTensor<float>("a.weight_scale", OnnxType::kFloat32, {2}, {0.5F, 2.0F}));
  graph.Tensor(SmallOnnxTensor<float>("a.bias", OnnxType::kFloat32, {2}, {-1.0F, 4.0F}));
  graph.Tensor(SmallOnnxTensor<uint16_t>("halves", OnnxType::kFloat16, {1, 2}, {0x3C00, 0xC000}));
  const OnnxValue y = graph.Add("LayerNormalization", {graph.Cast(x, OnnxType::kFloat32), "a.bias"},
                                {{"axis", int64_t{-1}}, {"epsilon", 1e-5}});
  const OnnxValue z = graph.Add("Transpose", {y}, {{"perm", std::vector<int64_t>{1, 0}}});
  graph.Output({"y", OnnxType::kFloat32, {7, "batch"}}, z);
  return graph;
}

}  // namespace heed
