// Where a directory has its ONNX files: as transformers.js and Optimum look for them, in a folder
// of their own, with a suffix for the type.
#pragma once

#include <filesystem>
#include <string>

#include "export/element_type.h"

namespace heed {

inline constexpr const char* kOnnxFolder = "onnx";

// What transformers.js calls a type.
constexpr const char* OnnxTypeName(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return "fp32";
    case ElementType::kFloat16:
      return "fp16";
    case ElementType::kBfloat16:
      return "bf16";
    case ElementType::kInt8:
      return "int8";
  }
  return "";
}

inline std::filesystem::path OnnxFile(const std::filesystem::path& directory,
                                      const std::string& name, ElementType type) {
  const std::string suffix =
      type == ElementType::kFloat32 ? "" : std::string("_") + OnnxTypeName(type);
  return directory / kOnnxFolder / (name + suffix + ".onnx");
}
inline std::filesystem::path OnnxEncoderFile(const std::filesystem::path& directory,
                                             ElementType type) {
  return OnnxFile(directory, "encoder_model", type);
}
// "Merged": one file for the first step and for those with a cache.
inline std::filesystem::path OnnxDecoderFile(const std::filesystem::path& directory,
                                             ElementType type) {
  return OnnxFile(directory, "decoder_model_merged", type);
}

}  // namespace heed
