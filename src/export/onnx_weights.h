// The parameters of a model as tensors of ONNX, under our names. Weights of linear layers are
// [inputs, outputs] there, as MatMul wants them; tables of tokens keep a row per token.
//
// Clients pad batches and need a token for it, which Heed does not have: it is one more token, as
// in the export for Hugging Face's transformers (huggingface_export.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "export/element_type.h"
#include "export/onnx_graph.h"
#include "export/portable_weights.h"

namespace heed {

// A matrix in bytes is two tensors: the bytes, and the factor that turns those of an output back
// into floats.
inline constexpr std::string_view kOnnxBytes = "_quantized";
inline constexpr std::string_view kOnnxScales = "_scale";
struct OnnxByteMatrix {
  OnnxTensor bytes;   // int8, shaped as the floats would be
  OnnxTensor scales;  // float32 [outputs]
};

// [outputs, inputs] as we have it, or [inputs, outputs]. By the parameter's name.
enum class OnnxOrder { kAsIs, kTransposed };
OnnxOrder OnnxOrderOf(std::string_view name);

class OnnxWeights {
 public:
  // Floats are stored as `type`, which is float32, float16 or int8: then matrices are in bytes, the
  // rest in float32. The model must outlive this.
  OnnxWeights(const ModelSource& model, ElementType type);

  const ModelOptions& options() const { return weights_.options(); }
  int64_t num_tokens() const { return num_tokens_; }  // of each side, with padding
  bool is_quantized() const { return type_ == ElementType::kInt8; }
  // In which the graph computes.
  OnnxType real() const {
    return type_ == ElementType::kFloat16 ? OnnxType::kFloat16 : OnnxType::kFloat32;
  }

  bool Contains(std::string_view name) const;
  OnnxTensor Floats(const std::string& name) const;
  OnnxByteMatrix Bytes(const std::string& name) const;
  // Of a stack, "encoder" or "decoder": [positions, model].
  OnnxTensor Positions(const std::string& stack) const;
  OnnxTensor Number(const std::string& name, double value) const;

 private:
  RowSource Rows(const std::string& name) const;
  OnnxTensor MakeFloats(const std::string& name, RowSource rows) const;

  const ModelSource& model_;
  PortableWeights weights_;
  ElementType type_;
  int64_t num_tokens_;
};

}  // namespace heed
