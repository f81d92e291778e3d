#include "export/onnx_writer.h"

#include <string>
#include <utility>

#include "util/check.h"
#include "util/protobuf_writer.h"

namespace heed {
namespace {

// AttributeProto.AttributeType
constexpr int64_t kFloatAttribute = 1, kIntegerAttribute = 2, kIntegersAttribute = 7;

std::string EncodeAttribute(const OnnxAttribute& attribute) {
  using Field = OnnxAttributeField;
  ProtobufWriter writer;
  writer.Bytes(Field::kName, attribute.name);
  if (const auto* integer = std::get_if<int64_t>(&attribute.value)) {
    writer.Number(Field::kInteger, *integer);
    writer.Number(Field::kKind, kIntegerAttribute);
  } else if (const auto* number = std::get_if<double>(&attribute.value)) {
    writer.Float(Field::kFloat, static_cast<float>(*number));
    writer.Number(Field::kKind, kFloatAttribute);
  } else {
    for (const int64_t value : std::get<std::vector<int64_t>>(attribute.value)) {
      writer.Number(Field::kIntegers, value);
    }
    writer.Number(Field::kKind, kIntegersAttribute);
  }
  return writer.bytes();
}

std::string EncodeNode(const OnnxNode& node) {
  using Field = OnnxNodeField;
  ProtobufWriter writer;
  for (const OnnxValue& input : node.inputs) writer.Bytes(Field::kInput, input);
  for (const OnnxValue& output : node.outputs) writer.Bytes(Field::kOutput, output);
  writer.Bytes(Field::kName, node.name);
  writer.Bytes(Field::kOperator, node.kind);
  for (const OnnxAttribute& attribute : node.attributes) {
    writer.Bytes(Field::kAttribute, EncodeAttribute(attribute));
  }
  return writer.bytes();
}

std::string EncodePort(const OnnxPort& port) {
  using Field = OnnxValueField;
  ProtobufWriter shape;
  for (const OnnxDimension& dimension : port.shape) {
    ProtobufWriter size;
    if (const auto* number = std::get_if<int64_t>(&dimension)) {
      size.Number(Field::kSize, *number);
    } else {
      size.Bytes(Field::kSymbol, std::get<std::string>(dimension));
    }
    shape.Bytes(Field::kDimension, size.bytes());
  }
  ProtobufWriter tensor, type, value;
  tensor.Number(Field::kElementType, static_cast<int64_t>(port.type));
  tensor.Bytes(Field::kShape, shape.bytes());
  type.Bytes(Field::kTensorType, tensor.bytes());
  value.Bytes(Field::kName, port.name);
  value.Bytes(Field::kType, type.bytes());
  return value.bytes();
}

// What stands in front of a tensor's elements, in the message of the graph.
std::string EncodeTensorHead(const OnnxTensor& tensor) {
  using Field = OnnxTensorField;
  ProtobufWriter head;
  for (const int64_t size : tensor.shape) head.Number(Field::kSize, size);
  head.Number(Field::kType, static_cast<int64_t>(tensor.type));
  head.Bytes(Field::kName, tensor.name);
  head.Begin(Field::kData, tensor.bytes());
  ProtobufWriter outer;
  outer.Begin(OnnxGraphField::kTensor, std::ssize(head.bytes()) + tensor.bytes());
  return outer.bytes() + head.bytes();
}

// All of the graph but its tensors.
std::string EncodeStructure(const OnnxGraph& graph) {
  using Field = OnnxGraphField;
  ProtobufWriter writer;
  writer.Bytes(Field::kName, graph.name());
  for (const OnnxPort& port : graph.inputs()) writer.Bytes(Field::kInput, EncodePort(port));
  for (const OnnxPort& port : graph.outputs()) writer.Bytes(Field::kOutput, EncodePort(port));
  for (const OnnxNode& node : graph.nodes()) writer.Bytes(Field::kNode, EncodeNode(node));
  return writer.bytes();
}

// The model up to its last field, the graph.
std::string EncodeModelHead(int64_t graph_bytes) {
  using Field = OnnxModelField;
  ProtobufWriter operators, writer;
  operators.Number(OnnxOperatorSetField::kVersion, kOnnxOperatorSet);
  writer.Number(Field::kIrVersion, kOnnxIrVersion);
  writer.Bytes(Field::kProducer, "Heed");
  writer.Bytes(Field::kOperatorSet, operators.bytes());
  writer.Begin(Field::kGraph, graph_bytes);
  return writer.bytes();
}

struct OnnxHeads {
  std::string model, structure;  // what stands before the tensors
  int64_t bytes = 0;             // of the file
};

OnnxHeads EncodeHeads(const OnnxGraph& graph) {
  OnnxHeads heads{.model = "", .structure = EncodeStructure(graph)};
  int64_t graph_bytes = std::ssize(heads.structure);
  for (const OnnxTensor& tensor : graph.tensors()) {
    graph_bytes += std::ssize(EncodeTensorHead(tensor)) + tensor.bytes();
  }
  heads.model = EncodeModelHead(graph_bytes);
  heads.bytes = std::ssize(heads.model) + graph_bytes;
  return heads;
}

}  // namespace

int64_t OnnxFileBytes(const OnnxGraph& graph) {
  return EncodeHeads(graph).bytes;
}

void WriteOnnxFile(const std::filesystem::path& path, const OnnxGraph& graph) {
  const OnnxHeads heads = EncodeHeads(graph);
  HEED_CHECK(heads.bytes <= kLargestOnnxFile, "a file of {} bytes", heads.bytes);
  AtomicFile file(path);
  file.Write(heads.model);
  file.Write(heads.structure);
  for (const OnnxTensor& tensor : graph.tensors()) {
    file.Write(EncodeTensorHead(tensor));
    const int64_t end = file.bytes() + tensor.bytes();
    tensor.write(file);
    HEED_CHECK(file.bytes() == end, "tensor {} wrote {} bytes too many", tensor.name,
               file.bytes() - end);
  }
  HEED_CHECK(file.bytes() == heads.bytes, "{} bytes instead of {}", file.bytes(), heads.bytes);
  file.Commit();
}

}  // namespace heed
