// Reads the tensors of an ONNX file, and a little of its graph, through the memory map. A file from
// anywhere is safe to open: sizes are checked before any element is touched, and every fault is a
// UserError that names the file.  Non-goal: running the graph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "export/onnx_format.h"
#include "export/onnx_weights.h"
#include "export/row_source.h"
#include "util/mapped_file.h"
#include "util/protobuf_reader.h"

namespace heed {

class OnnxReader {
 public:
  explicit OnnxReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.path(); }
  // In floats or in bytes.
  bool Contains(const std::string& name) const;
  // A vector or matrix as we have it, whatever OnnxOrderOf its name is; of bytes what they stand
  // for. The reader must outlive the source. Throws UserError if there is none.
  RowSource Rows(const std::string& name) const;
  // Whether some operator is of that kind.
  bool Runs(const std::string& kind) const { return kinds_.contains(kind); }
  // What the graph's layer norms add to the variance. Throws UserError if they differ.
  double LayerNormEpsilon() const;
  // A size that the shape of an input names. Throws UserError if it does not.
  int64_t InputSize(const std::string& input, size_t axis) const;

 private:
  struct Tensor {
    OnnxType type = OnnxType::kFloat32;
    std::vector<int64_t> shape;
    std::string_view data;  // little-endian, row-major, perhaps not aligned
  };

  [[noreturn]] void Fail(std::string_view reason) const;
  void ReadGraph(ProtobufReader graph);
  void ReadNode(ProtobufReader node);
  void ReadTensor(ProtobufReader message);
  void ReadInput(ProtobufReader value);
  void RequireWhole(const std::string& name, const Tensor& tensor) const;
  std::vector<float> Scales(const std::string& name, int64_t outputs) const;

  MappedFile file_;
  std::string complaint_;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, std::vector<int64_t>> inputs_;  // sizes; -1 of those that are not known
  std::set<std::string> kinds_;
  std::set<float> epsilons_;
};

}  // namespace heed
