#include "export/onnx_weights.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "export/huggingface_config.h"
#include "util/check.h"

namespace heed {
namespace {

// Holds the whole matrix.
RowSource TransposeInMemory(const RowSource& source) {
  const auto rows = static_cast<size_t>(source.rows);
  const auto columns = static_cast<size_t>(source.columns);
  const auto values = std::make_shared<std::vector<float>>(rows * columns);
  std::vector<float> row(columns);
  for (size_t i = 0; i < rows; ++i) {
    source.read(static_cast<int64_t>(i), row);
    for (size_t k = 0; k < columns; ++k) (*values)[k * rows + i] = row[k];
  }
  return {.name = source.name,
          .rows = source.columns,
          .columns = source.rows,
          .read = [values](int64_t line, std::span<float> to) {
            std::copy_n(values->begin() + line * std::ssize(to), to.size(), to.begin());
          }};
}

// Bytes with a factor per column.
void WriteColumnBytes(const RowSource& source, const std::vector<float>& factors,
                      AtomicFile& file) {
  std::vector<float> row(factors.size());
  std::vector<int8_t> bytes(factors.size());
  for (int64_t i = 0; i < source.rows; ++i) {
    source.read(i, row);
    std::ranges::transform(row, factors, bytes.begin(), [](float value, float factor) {
      return static_cast<int8_t>(std::nearbyint(value * factor));
    });
    file.Write(bytes.data(), std::ssize(bytes));
  }
}

void WriteScales(const RowSource& source, AtomicFile& file) {
  std::vector<float> scales = RowFactors(source);
  for (float& scale : scales) scale = 1 / scale;
  file.Write(scales.data(), std::ssize(scales) * static_cast<int64_t>(sizeof(float)));
}

std::vector<int64_t> ShapeInOrder(const RowSource& source, OnnxOrder order) {
  std::vector<int64_t> shape = source.shape();
  if (order == OnnxOrder::kTransposed) std::ranges::reverse(shape);
  return shape;
}

}  // namespace

OnnxOrder OnnxOrderOf(std::string_view name) {
  const bool is_linear = name.ends_with(".weight") && !name.ends_with("norm.weight") &&
                         !name.ends_with("embedding.weight") && name != "output.weight";
  return is_linear ? OnnxOrder::kTransposed : OnnxOrder::kAsIs;
}

OnnxWeights::OnnxWeights(const ModelSource& model, ElementType type)
    : model_(model), weights_(model), type_(type), num_tokens_(HuggingFacePadding(model) + 1) {
  HEED_CHECK(type != ElementType::kBfloat16, "ONNX in bfloat16");
}

bool OnnxWeights::Contains(std::string_view name) const {
  return model_.weights().Contains(name);
}

RowSource OnnxWeights::Rows(const std::string& name) const {
  if (name == "output.bias") {
    RowSource bias;
    if (Contains(name)) {
      bias = weights_.Rows(name);
    } else {
      bias = ZeroRows(name, 1, model_.shape().target_vocabulary);
      bias.is_vector = true;
    }
    return ExtendOutputs(std::move(bias), num_tokens_, kHuggingFacePaddingLogit);
  }
  RowSource rows = weights_.Rows(name);
  const bool is_per_token = name.ends_with("embedding.weight") || name == "output.weight";
  return is_per_token ? ExtendOutputs(std::move(rows), num_tokens_, 0) : rows;
}

OnnxTensor OnnxWeights::MakeFloats(const std::string& name, RowSource rows) const {
  const OnnxOrder order = OnnxOrderOf(name);
  OnnxTensor tensor{.name = name, .type = real(), .shape = ShapeInOrder(rows, order), .write = {}};
  const ElementType stored = is_quantized() ? ElementType::kFloat32 : type_;
  tensor.write = [rows = std::move(rows), order, stored](AtomicFile& file) {
    WriteFloats(order == OnnxOrder::kTransposed ? TransposeInMemory(rows) : rows, stored, file);
  };
  return tensor;
}

OnnxTensor OnnxWeights::Floats(const std::string& name) const {
  return MakeFloats(name, Rows(name));
}

OnnxByteMatrix OnnxWeights::Bytes(const std::string& name) const {
  const OnnxOrder order = OnnxOrderOf(name);
  const RowSource rows = Rows(name);
  OnnxByteMatrix matrix;
  matrix.bytes = {.name = name + std::string(kOnnxBytes),
                  .type = OnnxType::kInt8,
                  .shape = ShapeInOrder(rows, order),
                  .write = [rows, order](AtomicFile& file) {
                    if (order == OnnxOrder::kAsIs) return WriteBytes(rows, file);
                    WriteColumnBytes(TransposeInMemory(rows), RowFactors(rows), file);
                  }};
  matrix.scales = {.name = name + std::string(kOnnxScales),
                   .type = OnnxType::kFloat32,
                   .shape = {rows.rows},
                   .write = [rows](AtomicFile& file) { WriteScales(rows, file); }};
  return matrix;
}

OnnxTensor OnnxWeights::Positions(const std::string& stack) const {
  return MakeFloats(stack + ".positions", weights_.Positions(stack, kHuggingFacePositions));
}

OnnxTensor OnnxWeights::Number(const std::string& name, double value) const {
  const RowSource one{
      .name = name,
      .rows = 1,
      .columns = 1,
      .is_vector = true,
      .read = [value](int64_t /*row*/, std::span<float> to) { to[0] = static_cast<float>(value); }};
  OnnxTensor tensor = MakeFloats(name, one);
  tensor.shape = {};
  return tensor;
}

}  // namespace heed
