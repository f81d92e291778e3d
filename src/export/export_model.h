// Writes a trained model for another program: checks first that the format can hold it, then writes
// a directory that appears whole or not at all, then reads it back and compares.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/enum_names.h"
#include "export/element_type.h"
#include "export/model_source.h"
#include "export/parity.h"

namespace heed {

enum class ExportFormat { kSafetensors, kCtranslate2, kHuggingFace, kOnnx, kMarian, kMarianBin };
constexpr auto EnumNames(ExportFormat /*tag*/) {
  return std::to_array<EnumName<ExportFormat>>({{ExportFormat::kSafetensors, "safetensors"},
                                                {ExportFormat::kCtranslate2, "ctranslate2"},
                                                {ExportFormat::kHuggingFace, "huggingface"},
                                                {ExportFormat::kOnnx, "onnx"},
                                                {ExportFormat::kMarian, "marian"},
                                                {ExportFormat::kMarianBin, "marian-bin"}});
}

struct ExportOptions {
  ExportFormat format = ExportFormat::kSafetensors;
  ElementType type = ElementType::kFloat32;
};

// Every reason why the format cannot hold the model, each a sentence; none = it can.
std::vector<std::string> CanExport(const ExportOptions& options, const ModelSource& model);

// Fills `output`, which must not exist, and ends it with a manifest.json (manifest.h) of all its
// files. Needs memory for the model's weights, once, and for a row of a tensor. Throws UserError,
// leaving nothing, if the format cannot hold the model (with all reasons), if the files cannot be
// written, or if what they compute differs from the model by more than rounding.
ParityReport ExportModel(const ModelSource& model, const ExportOptions& options,
                         const std::filesystem::path& output, Backend& backend);

}  // namespace heed
