#include "checkpoint/average_checkpoints.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/manifest.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors_reader.h"
#include "checkpoint/safetensors_writer.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/directories.h"
#include "util/files.h"
#include "util/mapped_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// A checkpoint whose weights are being averaged.
struct Source {
  fs::path directory;
  Manifest manifest;
  std::string weights_file;
  std::unique_ptr<SafetensorsReader> weights;
};

Source Open(const fs::path& model) {
  Source source;
  source.directory = FindModel(model);
  source.manifest = ReadManifest(source.directory);
  source.weights_file = WeightsFile(source.directory);
  for (const ManifestEntry& entry : source.manifest.files) {
    if (entry.file != kOptimizerFile) VerifyFile(source.directory, entry);
  }
  source.weights = std::make_unique<SafetensorsReader>(source.directory / source.weights_file);
  return source;
}

// By update; refuses two of the same.
std::vector<Source> OpenInOrder(const std::vector<fs::path>& models) {
  std::vector<Source> sources;
  sources.reserve(models.size());
  for (const fs::path& model : models) sources.push_back(Open(model));
  const auto update = [](const Source& source) { return source.manifest.update; };
  std::ranges::sort(sources, {}, update);
  const auto twice = std::ranges::adjacent_find(sources, {}, update);
  if (twice != sources.end()) {
    ThrowUserError("{} and {} both hold update {}; name each checkpoint once",
                   twice[0].directory.string(), twice[1].directory.string(), update(twice[0]));
  }
  return sources;
}

bool IsVocabulary(const std::string& file) {
  return file.ends_with(".model") || file.ends_with(".pieces.json");
}

// Averages make sense between models of the same tensors and the same vocabulary.
void CheckAlike(const Source& a, const Source& b) {
  const auto fail = [&](const std::string& what) {
    ThrowUserError("{} and {} cannot be averaged: {}", a.directory.string(), b.directory.string(),
                   what);
  };
  if (a.weights_file != b.weights_file) fail("only one of them has a moving average");
  for (const ManifestEntry& entry : a.manifest.files) {
    if (!IsVocabulary(entry.file)) continue;
    const ManifestEntry* other = b.manifest.Find(entry.file);
    if (other == nullptr || *other != entry) fail(fmt::format("their {} differ", entry.file));
  }
  if (a.weights->tensors().size() != b.weights->tensors().size()) fail("their tensors differ");
  for (const StoredTensor& tensor : a.weights->tensors()) {
    const StoredTensor& other = b.weights->Get(tensor.name);
    if (other.type != tensor.type || other.shape != tensor.shape) {
      fail(fmt::format("the types or shapes of their '{}' differ", tensor.name));
    }
  }
}

template <class Real>
void WriteMean(const std::vector<const std::byte*>& sources, int64_t elements, AtomicFile& file) {
  constexpr int64_t kChunk = 16384;  // elements written at once
  constexpr auto kBytes = static_cast<int64_t>(sizeof(Real));
  std::vector<Real> mean;
  mean.reserve(kChunk);
  for (int64_t i = 0; i < elements; ++i) {
    double sum = 0;
    for (const std::byte* source : sources) {
      Real value;
      std::memcpy(&value, source + i * kBytes, sizeof value);
      sum += static_cast<double>(value);
    }
    mean.push_back(static_cast<Real>(sum / static_cast<double>(sources.size())));
    if (i + 1 < elements && (i + 1) % kChunk != 0) continue;
    file.Write(mean.data(), static_cast<int64_t>(mean.size()) * kBytes);
    mean.clear();
  }
}

TensorToWrite MeanToWrite(const StoredTensor& tensor, const std::vector<Source>& sources) {
  std::vector<const std::byte*> values;
  values.reserve(sources.size());
  for (const Source& source : sources) values.push_back(source.weights->Get(tensor.name).data);
  const bool is_double = tensor.type.name == "F64";
  if (!is_double && tensor.type.name != "F32") {
    ThrowUserError("{}: '{}' has type {}; only F32 and F64 can be averaged",
                   sources.front().weights->path().string(), tensor.name, tensor.type.name);
  }
  return {.name = tensor.name,
          .type = std::string(tensor.type.name),
          .shape = tensor.shape,
          .write = [values, is_double, elements = tensor.elements](AtomicFile& file) {
            is_double ? WriteMean<double>(values, elements, file)
                      : WriteMean<float>(values, elements, file);
          }};
}

ManifestEntry WriteWeights(const fs::path& directory, const std::vector<Source>& sources,
                           const std::vector<int64_t>& updates) {
  std::vector<TensorToWrite> tensors;
  for (const StoredTensor& tensor : sources.front().weights->tensors()) {
    tensors.push_back(MeanToWrite(tensor, sources));
  }
  const WrittenFile written =
      WriteSafetensors(directory / kModelFile, std::move(tensors),
                       {{"averaged_updates", fmt::format("{}", fmt::join(updates, " "))}});
  return {std::string(kModelFile), written.bytes, written.crc32};
}

}  // namespace

std::vector<fs::path> LastCheckpoints(const fs::path& run, int64_t count) {
  const std::vector<StoredCheckpoint> all = ListCheckpoints(run);
  if (count < 1 || count > static_cast<int64_t>(all.size())) {
    ThrowUserError(
        "{} has {} checkpoints, not {}; training.checkpoints.keep_last says how many "
        "are kept",
        run.string(), all.size(), count);
  }
  std::vector<fs::path> last;
  for (auto it = all.end() - count; it != all.end(); ++it) last.push_back(it->path);
  return last;
}

std::vector<int64_t> AverageCheckpoints(const std::vector<fs::path>& models,
                                        const fs::path& output) {
  if (models.empty()) ThrowUserError("no checkpoint to average is named");
  RequireAbsent(output);
  const std::vector<Source> sources = OpenInOrder(models);
  std::vector<int64_t> updates;
  for (const Source& source : sources) {
    CheckAlike(sources.back(), source);
    updates.push_back(source.manifest.update);
  }
  const Source& newest = sources.back();
  AtomicDirectory directory(output);
  Manifest manifest{.update = updates.back(), .files = {}};
  manifest.files.push_back(WriteWeights(directory.path(), sources, updates));
  for (const ManifestEntry& entry : newest.manifest.files) {
    if (entry.file != kRecipeFile && !IsVocabulary(entry.file)) continue;
    WriteFile(directory.path() / entry.file, MappedFile(newest.directory / entry.file).text());
    manifest.files.push_back(entry);
  }
  WriteManifest(directory.path(), manifest);
  directory.Commit();
  return updates;
}

}  // namespace heed
