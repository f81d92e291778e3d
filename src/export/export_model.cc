#include "export/export_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "checkpoint/checkpoint.h"
#include "checkpoint/manifest.h"
#include "export/ctranslate2_export.h"
#include "export/ctranslate2_model.h"
#include "export/huggingface_export.h"
#include "export/huggingface_model.h"
#include "export/read_back.h"
#include "export/safetensors_export.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/directories.h"
#include "util/files.h"

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
constexpr auto kExporters =
    std::to_array<Exporter>({{ExportFormat::kSafetensors, FindSafetensorsObstacles,
                              WriteSafetensorsModel, ReadSafetensorsModel},
                             {ExportFormat::kCtranslate2, FindCtranslate2Obstacles,
                              WriteCtranslate2Model, ReadCtranslate2Model},
                             {ExportFormat::kHuggingFace, FindHuggingFaceObstacles,
                              WriteHuggingFaceModel, ReadHuggingFaceModel}});

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

void RequireAbsent(const fs::path& output) {
  if (output.empty()) ThrowUserError("no output directory is named");
  std::error_code error;
  if (fs::exists(fs::symlink_status(output, error))) {
    ThrowUserError("{} exists already; delete it or choose another directory", output.string());
  }
}

// Lists what is on the disk, as the disk gives it back.
Manifest ListFiles(const fs::path& directory, int64_t update) {
  Manifest manifest{.update = update, .files = {}};
  for (const auto& entry : fs::directory_iterator(directory)) {
    manifest.files.push_back({.file = entry.path().filename().string(),
                              .bytes = FileSize(entry.path()),
                              .crc32 = Crc32OfFile(entry.path())});
  }
  std::ranges::sort(manifest.files, {}, &ManifestEntry::file);
  return manifest;
}

ParityReport CheckParity(const ModelSource& model, const ReadBackModel& exported,
                         const ExportOptions& options, Backend& backend) {
  const auto fill = [&](const ParameterStore& parameters) {
    ReadBuffers(model.directory(), parameters,
                {{model.weights_file(), "", parameters.flat_values()}});
  };
  const Batch probe = MakeProbe(model.shape());
  const ParityReport report =
      CompareProbes(ProbeLogProbabilities(probe, model.shape(), fill, backend),
                    ProbeLogProbabilities(probe, exported.shape, exported.fill, backend));
  if (IsWithinRounding(report, options.type)) return report;
  constexpr const char* kDifference =
      "the exported files compute something other than the model: log-probabilities differ by {} "
      "nats on average, {} at most";
  HEED_CHECK(options.type != ElementType::kFloat32, kDifference, report.mean_difference,
             report.largest_difference);
  ThrowUserError(
      "this model suffers too much from {}: log-probabilities change by {} nats on average, {} at "
      "most; export float32",
      EnumToString(options.type), report.mean_difference, report.largest_difference);
}

}  // namespace

std::vector<std::string> CanExport(const ExportOptions& options, const ModelSource& model) {
  return ExporterFor(options.format).find_obstacles(model, options.type);
}

ParityReport ExportModel(const ModelSource& model, const ExportOptions& options,
                         const fs::path& output, Backend& backend) {
  RequireExportable(options, model);
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
