#include "export/onnx_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "util/check.h"

namespace heed {
namespace {

OnnxTensor IntegerTensor(std::string name, std::vector<int64_t> shape,
                         std::vector<int64_t> values) {
  return {.name = std::move(name),
          .type = OnnxType::kInt64,
          .shape = std::move(shape),
          .write = [values = std::move(values)](AtomicFile& file) {
            file.Write(values.data(), std::ssize(values) * static_cast<int64_t>(sizeof(int64_t)));
          }};
}

}  // namespace

int64_t OnnxTensor::bytes() const {
  int64_t bytes = SizeOf(type);
  for (const int64_t size : shape) bytes *= size;
  return bytes;
}

OnnxValue OnnxGraph::Input(OnnxPort port) {
  return inputs_.emplace_back(std::move(port)).name;
}

void OnnxGraph::Output(OnnxPort port, const OnnxValue& value) {
  nodes_.push_back({.name = "output." + port.name,
                    .kind = "Identity",
                    .inputs = {value},
                    .outputs = {port.name},
                    .attributes = {}});
  outputs_.push_back(std::move(port));
}

OnnxValue OnnxGraph::Tensor(OnnxTensor tensor) {
  const auto found = std::ranges::find(tensors_, tensor.name, &OnnxTensor::name);
  if (found == tensors_.end()) return tensors_.emplace_back(std::move(tensor)).name;
  HEED_CHECK(found->type == tensor.type && found->shape == tensor.shape,
             "two tensors are called {}", tensor.name);
  return found->name;
}

OnnxValue OnnxGraph::Integer(int64_t value) {
  return Tensor(IntegerTensor(fmt::format("integer_{}", value), {}, {value}));
}

OnnxValue OnnxGraph::Integers(const std::vector<int64_t>& values) {
  const std::string name = fmt::format("integers_{}", fmt::join(values, "_"));
  return Tensor(IntegerTensor(name, {std::ssize(values)}, values));
}

OnnxValue OnnxGraph::Add(const std::string& kind, std::vector<OnnxValue> inputs,
                         std::vector<OnnxAttribute> attributes) {
  return AddSeveral(kind, std::move(inputs), std::move(attributes), 1).front();
}

std::vector<OnnxValue> OnnxGraph::AddSeveral(const std::string& kind, std::vector<OnnxValue> inputs,
                                             std::vector<OnnxAttribute> attributes, int64_t count) {
  OnnxNode node{.name = fmt::format("{}_{}", kind, nodes_.size()),
                .kind = kind,
                .inputs = std::move(inputs),
                .outputs = {},
                .attributes = std::move(attributes)};
  for (int64_t i = 0; i < count; ++i) {
    node.outputs.push_back(fmt::format("{}.{}", node.name, i));
  }
  return nodes_.emplace_back(std::move(node)).outputs;
}

OnnxValue OnnxGraph::Cast(const OnnxValue& value, OnnxType type) {
  return Add("Cast", {value}, {{"to", static_cast<int64_t>(type)}});
}

}  // namespace heed
