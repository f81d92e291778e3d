#include "export/onnx_reader.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "tensor/half_precision.h"
#include "util/check.h"

namespace heed {
namespace {

template <class T>
T LoadOnnxElement(std::string_view data, int64_t element) {
  T value;
  std::memcpy(&value, data.data() + element * static_cast<int64_t>(sizeof value), sizeof value);
  return value;
}

float LoadOnnxFloat(std::string_view data, OnnxType type, int64_t element) {
  switch (type) {
    case OnnxType::kFloat32:
      return LoadOnnxElement<float>(data, element);
    case OnnxType::kFloat16:
      return FromFloat16(LoadOnnxElement<uint16_t>(data, element));
    case OnnxType::kInt8:
      return static_cast<float>(LoadOnnxElement<int8_t>(data, element));
    case OnnxType::kInt64:
    case OnnxType::kBool:
      break;
  }
  HEED_CHECK(false, "floats of type {}", static_cast<int>(type));
  return 0;
}

// The sizes in a ValueInfoProto's TypeProto; -1 of those that have names.
std::vector<int64_t> ReadOnnxShape(ProtobufReader type) {
  using Field = OnnxValueField;
  std::vector<int64_t> sizes;
  while (const auto tensor = type.Next()) {
    if (tensor->id != Field::kTensorType) continue;
    ProtobufReader tensor_type = type.Inside(*tensor);
    while (const auto shape = tensor_type.Next()) {
      if (shape->id != Field::kShape) continue;
      ProtobufReader dimensions = tensor_type.Inside(*shape);
      while (const auto dimension = dimensions.Next()) {
        if (dimension->id != Field::kDimension) continue;
        sizes.push_back(-1);
        ProtobufReader size = dimensions.Inside(*dimension);
        while (const auto field = size.Next()) {
          if (field->id == Field::kSize) sizes.back() = static_cast<int64_t>(field->number);
        }
      }
    }
  }
  return sizes;
}

}  // namespace

OnnxReader::OnnxReader(const std::filesystem::path& path)
    : file_(path),
      complaint_(path.string() + " is not an ONNX model, or is damaged; use another copy of it") {
  ProtobufReader model(file_.text(), complaint_);
  bool has_graph = false;
  while (const auto field = model.Next()) {
    if (field->id != OnnxModelField::kGraph) continue;
    if (std::exchange(has_graph, true)) Fail("it has two graphs");
    ReadGraph(model.Inside(*field));
  }
  if (!has_graph) Fail("it has no graph");
}

void OnnxReader::Fail(std::string_view reason) const {
  ThrowUserError("{}: {}", complaint_, reason);
}

void OnnxReader::ReadGraph(ProtobufReader graph) {
  using Field = OnnxGraphField;
  while (const auto field = graph.Next()) {
    if (field->id == Field::kNode) ReadNode(graph.Inside(*field));
    if (field->id == Field::kTensor) ReadTensor(graph.Inside(*field));
    if (field->id == Field::kInput) ReadInput(graph.Inside(*field));
  }
}

void OnnxReader::ReadNode(ProtobufReader node) {
  while (const auto field = node.Next()) {
    if (field->id == OnnxNodeField::kOperator) kinds_.emplace(field->bytes);
    if (field->id != OnnxNodeField::kAttribute) continue;
    ProtobufReader attribute = node.Inside(*field);
    std::string_view name;
    float value = 0;
    while (const auto part = attribute.Next()) {
      if (part->id == OnnxAttributeField::kName) name = part->bytes;
      if (part->id == OnnxAttributeField::kFloat) {
        value = std::bit_cast<float>(static_cast<uint32_t>(part->number));
      }
    }
    if (name == "epsilon") epsilons_.insert(value);
  }
}

void OnnxReader::ReadTensor(ProtobufReader message) {
  Tensor tensor;
  std::string name;
  while (const auto field = message.Next()) {
    if (field->id == OnnxTensorField::kSize) {
      tensor.shape.push_back(static_cast<int64_t>(field->number));
    }
    if (field->id == OnnxTensorField::kType) tensor.type = static_cast<OnnxType>(field->number);
    if (field->id == OnnxTensorField::kName) name = field->bytes;
    if (field->id == OnnxTensorField::kData) tensor.data = field->bytes;
  }
  RequireWhole(name, tensor);
  if (!tensors_.emplace(name, std::move(tensor)).second) {
    Fail(fmt::format("'{}' is given twice", name));
  }
}

void OnnxReader::RequireWhole(const std::string& name, const Tensor& tensor) const {
  int64_t bytes = SizeOf(tensor.type);
  if (bytes == 0) {
    Fail(fmt::format("'{}' has type {}, which Heed does not read", name,
                     static_cast<int>(tensor.type)));
  }
  for (const int64_t size : tensor.shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) {
      Fail(fmt::format("the shape of '{}' cannot be", name));
    }
  }
  if (std::ssize(tensor.data) != bytes) {
    Fail(fmt::format("'{}' has {} bytes instead of {}", name, tensor.data.size(), bytes));
  }
}

void OnnxReader::ReadInput(ProtobufReader value) {
  std::string name;
  std::vector<int64_t> sizes;
  while (const auto field = value.Next()) {
    if (field->id == OnnxValueField::kName) name = field->bytes;
    if (field->id == OnnxValueField::kType) sizes = ReadOnnxShape(value.Inside(*field));
  }
  inputs_[name] = std::move(sizes);
}

bool OnnxReader::Contains(const std::string& name) const {
  return tensors_.contains(name) || tensors_.contains(name + std::string(kOnnxBytes));
}

std::vector<float> OnnxReader::Scales(const std::string& name, int64_t outputs) const {
  const auto found = tensors_.find(name + std::string(kOnnxScales));
  if (found == tensors_.end() || found->second.type != OnnxType::kFloat32 ||
      found->second.shape != std::vector<int64_t>{outputs}) {
    Fail(fmt::format("'{}' has no {} for each of its {} outputs", name, kOnnxScales, outputs));
  }
  std::vector<float> scales(static_cast<size_t>(outputs));
  std::memcpy(scales.data(), found->second.data.data(), scales.size() * sizeof(float));
  return scales;
}

RowSource OnnxReader::Rows(const std::string& name) const {
  const auto bytes = tensors_.find(name + std::string(kOnnxBytes));
  const auto floats = tensors_.find(name);
  const auto found = bytes != tensors_.end() ? bytes : floats;
  if (found == tensors_.end()) Fail(fmt::format("it has no '{}'", name));
  const Tensor& tensor = found->second;
  const bool in_bytes = found == bytes;
  const bool is_right =
      in_bytes ? tensor.type == OnnxType::kInt8
               : tensor.type == OnnxType::kFloat32 || tensor.type == OnnxType::kFloat16;
  const size_t rank = tensor.shape.size();
  if (!is_right || rank < 1 || rank > 2) {
    Fail(fmt::format("'{}' is not a vector or matrix of floats", name));
  }
  RowSource source{.name = name,
                   .rows = rank == 1 ? 1 : tensor.shape[0],
                   .columns = tensor.shape.back(),
                   .is_vector = rank == 1,
                   .read = {}};
  int64_t row_step = source.columns, column_step = 1;
  if (rank == 2 && OnnxOrderOf(name) == OnnxOrder::kTransposed) {
    std::swap(source.rows, source.columns);
    std::swap(row_step, column_step);
  }
  source.read = [data = tensor.data, type = tensor.type, row_step, column_step,
                 scales = in_bytes ? Scales(name, source.rows) : std::vector<float>()](
                    int64_t row, std::span<float> values) {
    const float scale = scales.empty() ? 1.0F : scales[static_cast<size_t>(row)];
    int64_t element = row * row_step;
    for (float& value : values) {
      value = scale * LoadOnnxFloat(data, type, element);
      element += column_step;
    }
  };
  return source;
}

double OnnxReader::LayerNormEpsilon() const {
  if (epsilons_.size() != 1) {
    Fail(fmt::format("its layer norms have {} values of epsilon", epsilons_.size()));
  }
  // The shortest number that is this float: 1e-05, not 9.99999975e-06.
  return std::stod(fmt::format("{}", *epsilons_.begin()));
}

int64_t OnnxReader::InputSize(const std::string& input, size_t axis) const {
  const auto found = inputs_.find(input);
  if (found == inputs_.end() || axis >= found->second.size() || found->second[axis] < 0) {
    Fail(fmt::format("it does not say size {} of input '{}'", axis, input));
  }
  return found->second[axis];
}

}  // namespace heed
