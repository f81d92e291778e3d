#include "export/export_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "checkpoint/checkpoint.h"
#include "checkpoint/manifest.h"
#include "config/scalar_text.h"
#include "export/ctranslate2_export.h"
#include "export/ctranslate2_model.h"
#include "export/huggingface_export.h"
#include "export/huggingface_model.h"
#include "export/marian_export.h"
#include "export/marian_model.h"
#include "export/onnx_export.h"
#include "export/onnx_model.h"
#include "export/read_back.h"
#include "export/safetensors_export.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/directories.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// What each format's file provides.
struct Exporter {
  ExportFormat format;
  std::vector<std::string> (*find_obstacles)(const ModelSource& model, ElementType type);
  void (*write)(const ModelSource& model, ElementType type, const fs::path& directory);
  ReadBackModel (*read_back)(const fs::path& directory);
};
constexpr auto kExporters = std::to_array<Exporter>(
    {{ExportFormat::kSafetensors, FindSafetensorsObstacles, WriteSafetensorsModel,
      ReadSafetensorsModel},
     {ExportFormat::kCtranslate2, FindCtranslate2Obstacles, WriteCtranslate2Model,
      ReadCtranslate2Model},
     {ExportFormat::kHuggingFace, FindHuggingFaceObstacles, WriteHuggingFaceModel,
      ReadHuggingFaceModel},
     {ExportFormat::kOnnx, FindOnnxObstacles, WriteOnnxModel, ReadOnnxModel},
     {ExportFormat::kMarian, FindMarianNpzObstacles, WriteMarianNpzModel, ReadMarianModel},
     {ExportFormat::kMarianBin, FindMarianBinObstacles, WriteMarianBinModel, ReadMarianModel}});

const Exporter& ExporterFor(ExportFormat format) {
  const auto found = std::ranges::find(kExporters, format, &Exporter::format);
  HEED_CHECK(found != kExporters.end(), "format {} has no exporter", EnumToString(format));
  return *found;
}

void RequireExportable(const ExportOptions& options, const ModelSource& model) {
  const std::vector<std::string> reasons = CanExport(options, model);
  if (reasons.empty()) return;
  ThrowUserError("{} cannot be exported to {} as {}:\n  - {}", model.directory().string(),
                 EnumToString(options.format), EnumToString(options.type),
                 fmt::join(reasons, "\n  - "));
}

// Lists what is on the disk, as the disk gives it back.
Manifest ListFiles(const fs::path& directory, int64_t update) {
  Manifest manifest{.update = update, .files = {}};
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_directory()) continue;
    manifest.files.push_back({.file = entry.path().lexically_relative(directory).generic_string(),
                              .bytes = FileSize(entry.path()),
                              .crc32 = Crc32OfFile(entry.path())});
  }
  std::ranges::sort(manifest.files, {}, &ManifestEntry::file);
  return manifest;
}

// What `read` computes, against what the model does.
ParityReport Compare(const ModelSource& model, const ReadBackModel& read, Backend& backend) {
  const auto fill = [&](const ParameterStore& parameters) {
    ReadBuffers(model.directory(), parameters,
                {{model.weights_file(), "", parameters.flat_values()}});
  };
  const Batch probe = MakeProbe(model.shape());
  return CompareProbes(ProbeLogProbabilities(probe, model.shape(), fill, backend),
                       ProbeLogProbabilities(probe, read.shape, read.fill, backend));
}

// Throws if what `exported` computes differs from the model by more than rounding.
ParityReport CheckRounding(const ModelSource& model, const ReadBackModel& exported,
                           ElementType type, Backend& backend) {
  const ParityReport report = Compare(model, exported, backend);
  if (IsWithinRounding(report, type)) return report;
  constexpr const char* kDifference =
      "the exported files compute something other than the model: log-probabilities differ by {} "
      "nats on average, {} at most";
  HEED_CHECK(type != ElementType::kFloat32, kDifference, report.mean_difference,
             report.largest_difference);
  ThrowUserError(
      "this model suffers too much from {}: log-probabilities change by {} nats on average, {} at "
      "most; export float32",
      EnumToString(type), report.mean_difference, report.largest_difference);
}

// Some formats have one epsilon for all models, so that theirs is not the model's. Trained models
// hardly change by it: 1e-4 nats from 1e-5 to 1e-6.
ParityReport CheckEpsilon(const ModelSource& model, const ReadBackModel& exported,
                          Backend& backend) {
  const ParityReport report = Compare(model, exported, backend);
  const std::string theirs = FormatNumber(exported.shape.options.layer_norm_epsilon);
  const std::string difference = fmt::format(
      "layer norm adds {} to the variance there and {} in the model; that changes "
      "log-probabilities by at most {:.2g} nats",
      theirs, FormatNumber(model.options().layer_norm_epsilon), report.largest_difference);
  constexpr double kMostNats = 1e-3;
  if (report.largest_difference > kMostNats) {
    ThrowUserError("{}; train with model.layer_norm_epsilon: {}, or export to ctranslate2",
                   difference, theirs);
  }
  HEED_LOG(warn, "{}", difference);
  return report;
}

ParityReport CheckParity(const ModelSource& model, const ReadBackModel& exported,
                         const ExportOptions& options, Backend& backend) {
  ReadBackModel same = exported;
  same.shape.options.layer_norm_epsilon = model.options().layer_norm_epsilon;
  const ParityReport report = CheckRounding(model, same, options.type, backend);
  return same.shape.options == exported.shape.options ? report
                                                      : CheckEpsilon(model, exported, backend);
}

}  // namespace

std::vector<std::string> CanExport(const ExportOptions& options, const ModelSource& model) {
  std::vector<std::string> reasons =
      ExporterFor(options.format).find_obstacles(model, options.type);
  if (options.format == ExportFormat::kSafetensors) return reasons;  // which has the recipe
  for (const auto& [side, tokenizer] :
       {std::pair{"sources", model.vocabularies().source.get()},
        std::pair{"translations", model.vocabularies().target.get()}}) {
    if (tokenizer->prefix_id() < 0) continue;
    reasons.push_back(fmt::format(
        "its {} begin with the piece {} (vocabulary.{}_prefix), which the format's tokenizers do "
        "not add",
        side, tokenizer->piece(tokenizer->prefix_id()),
        side == std::string_view("sources") ? "source" : "target"));
  }
  return reasons;
}

ParityReport ExportModel(const ModelSource& model, const ExportOptions& options,
                         const fs::path& output, Backend& backend) {
  RequireExportable(options, model);
  if (output.empty()) ThrowUserError("no output directory is named");
  RequireAbsent(output);
  const Exporter& exporter = ExporterFor(options.format);
  AtomicDirectory directory(output);
  exporter.write(model, options.type, directory.path());
  WriteManifest(directory.path(), ListFiles(directory.path(), model.update()));
  const ParityReport report =
      CheckParity(model, exporter.read_back(directory.path()), options, backend);
  directory.Commit();
  return report;
}

}  // namespace heed
