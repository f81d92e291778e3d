// A graph of ONNX under construction: operators in the order in which they run, the tensors that
// they read, inputs and outputs. A value is known by its name.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export/onnx_format.h"
#include "util/files.h"

namespace heed {

using OnnxValue = std::string;
// A size that is known, or the name of one that the caller chooses.
using OnnxDimension = std::variant<int64_t, std::string>;

struct OnnxTensor {
  std::string name;
  OnnxType type = OnnxType::kFloat32;
  std::vector<int64_t> shape;                   // empty = one number
  std::function<void(AtomicFile& file)> write;  // the elements: little-endian, row-major

  int64_t bytes() const;
};

struct OnnxPort {
  std::string name;
  OnnxType type = OnnxType::kFloat32;
  std::vector<OnnxDimension> shape;
};

struct OnnxAttribute {
  std::string name;
  std::variant<int64_t, double, std::vector<int64_t>> value;
};

struct OnnxNode {
  std::string name, kind;
  std::vector<OnnxValue> inputs, outputs;
  std::vector<OnnxAttribute> attributes;
};

class OnnxGraph {
 public:
  explicit OnnxGraph(std::string name) : name_(std::move(name)) {}

  OnnxValue Input(OnnxPort port);
  // Gives a value to the caller, under the port's name.
  void Output(OnnxPort port, const OnnxValue& value);
  // A tensor that is there already, by its name, is not added again.
  OnnxValue Tensor(OnnxTensor tensor);
  // Integers: one without axes, or several along one.
  OnnxValue Integer(int64_t value);
  OnnxValue Integers(const std::vector<int64_t>& values);

  // The result of an operator.
  OnnxValue Add(const std::string& kind, std::vector<OnnxValue> inputs,
                std::vector<OnnxAttribute> attributes = {});
  // One of several results.
  std::vector<OnnxValue> AddSeveral(const std::string& kind, std::vector<OnnxValue> inputs,
                                    std::vector<OnnxAttribute> attributes, int64_t count);
  OnnxValue Cast(const OnnxValue& value, OnnxType type);

  const std::string& name() const { return name_; }
  const std::vector<OnnxNode>& nodes() const { return nodes_; }
  const std::vector<OnnxTensor>& tensors() const { return tensors_; }
  const std::vector<OnnxPort>& inputs() const { return inputs_; }
  const std::vector<OnnxPort>& outputs() const { return outputs_; }

 private:
  std::string name_;
  std::vector<OnnxNode> nodes_;
  std::vector<OnnxTensor> tensors_;
  std::vector<OnnxPort> inputs_, outputs_;
};

}  // namespace heed
