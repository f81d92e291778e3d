// The inputs or outputs of an ONNX graph as text: "input_ids [batch_size, 7]".
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "export/onnx_graph.h"

namespace heed {

inline std::vector<std::string> DescribePorts(const std::vector<OnnxPort>& ports) {
  std::vector<std::string> lines;
  for (const OnnxPort& port : ports) {
    std::vector<std::string> sizes;
    for (const OnnxDimension& size : port.shape) {
      const auto* number = std::get_if<int64_t>(&size);
      sizes.push_back(number != nullptr ? std::to_string(*number) : std::get<std::string>(size));
    }
    lines.push_back(fmt::format("{} [{}]", port.name, fmt::join(sizes, ", ")));
  }
  return lines;
}

// Values that an operator reads before they are there; none in a graph that can run.
inline std::vector<std::string> ReadTooEarly(const OnnxGraph& graph) {
  std::set<std::string> known;
  for (const OnnxPort& port : graph.inputs()) known.insert(port.name);
  for (const OnnxTensor& tensor : graph.tensors()) known.insert(tensor.name);
  std::vector<std::string> faults;
  for (const OnnxNode& node : graph.nodes()) {
    std::ranges::copy_if(node.inputs, std::back_inserter(faults),
                         [&](const OnnxValue& value) { return !known.contains(value); });
    known.insert(node.outputs.begin(), node.outputs.end());
  }
  return faults;
}

}  // namespace heed
