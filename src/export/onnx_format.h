// What we need of ONNX (github.com/onnx/onnx, onnx/onnx.proto): field numbers of its messages, and
// types. Files are of IR version 8 and operator set 17, those of ONNX 1.12 (2022), the first with
// LayerNormalization.
#pragma once

#include <cstdint>
#include <limits>

namespace heed {

inline constexpr int64_t kOnnxIrVersion = 8;
inline constexpr int64_t kOnnxOperatorSet = 17;
// A protocol buffer may have no more.
inline constexpr int64_t kLargestOnnxFile = std::numeric_limits<int32_t>::max();

struct OnnxModelField {
  static constexpr uint32_t kIrVersion = 1, kProducer = 2, kGraph = 7, kOperatorSet = 8;
};
struct OnnxOperatorSetField {
  static constexpr uint32_t kVersion = 2;
};
struct OnnxGraphField {
  static constexpr uint32_t kNode = 1, kName = 2, kTensor = 5, kInput = 11, kOutput = 12;
};
struct OnnxNodeField {
  static constexpr uint32_t kInput = 1, kOutput = 2, kName = 3, kOperator = 4, kAttribute = 5;
};
struct OnnxAttributeField {
  static constexpr uint32_t kName = 1, kFloat = 2, kInteger = 3, kIntegers = 8, kKind = 20;
};
struct OnnxTensorField {
  static constexpr uint32_t kSize = 1, kType = 2, kName = 8, kData = 9;
};
struct OnnxValueField {  // of inputs and outputs; the rest are the messages in it, from outside in
  static constexpr uint32_t kName = 1, kType = 2;
  static constexpr uint32_t kTensorType = 1;
  static constexpr uint32_t kElementType = 1, kShape = 2;
  static constexpr uint32_t kDimension = 1;
  static constexpr uint32_t kSize = 1, kSymbol = 2;
};

// TensorProto.DataType
enum class OnnxType {
  kFloat32 = 1,
  kInt8 = 3,
  kInt64 = 7,
  kBool = 9,
  kFloat16 = 10,
};

// Bytes of an element; 0 of any other type.
constexpr int64_t SizeOf(OnnxType type) {
  switch (type) {
    case OnnxType::kInt8:
    case OnnxType::kBool:
      return 1;
    case OnnxType::kFloat16:
      return 2;
    case OnnxType::kFloat32:
      return 4;
    case OnnxType::kInt64:
      return 8;
  }
  return 0;
}

}  // namespace heed
