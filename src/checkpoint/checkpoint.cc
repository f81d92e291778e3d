#include "checkpoint/checkpoint.h"

#include <map>
#include <set>
#include <utility>

#include "checkpoint/manifest.h"
#include "checkpoint/safetensors_reader.h"
#include "checkpoint/safetensors_writer.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"
#include "util/mapped_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

ManifestEntry WriteText(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.Write(text);
  file.Commit();
  return {.file = path.filename().string(), .bytes = file.bytes(), .crc32 = file.crc32()};
}

// The tensors of all buffers, by file.
std::map<std::string, std::vector<TensorToWrite>> TensorsByFile(const CheckpointContent& content) {
  std::map<std::string, std::vector<TensorToWrite>> files;
  for (const FlatBuffer& buffer : content.buffers) {
    for (const auto& parameter : content.parameters->parameters()) {
      files[buffer.file].push_back(MatrixToWrite(
          buffer.prefix + parameter->name, content.parameters->Slice(buffer.values, *parameter)));
    }
  }
  return files;
}

}  // namespace

int64_t EstimateBytes(const CheckpointContent& content) {
  int64_t bytes = 0;
  for (const FlatBuffer& buffer : content.buffers) {
    bytes += content.parameters->num_parameters() * SizeOf(buffer.values.type);
  }
  return bytes;
}

void WriteCheckpoint(const fs::path& directory, const CheckpointContent& content) {
  Manifest manifest{.update = content.state.update, .files = {}};
  const std::map<std::string, std::string> metadata = {
      {"update", std::to_string(content.state.update)}};
  for (auto& [file, tensors] : TensorsByFile(content)) {
    const WrittenFile written = WriteSafetensors(directory / file, std::move(tensors), metadata);
    manifest.files.push_back({file, written.bytes, written.crc32});
  }
  for (const fs::path& path : content.copies) {
    manifest.files.push_back(WriteText(directory / path.filename(), MappedFile(path).text()));
  }
  manifest.files.push_back(WriteText(directory / kRecipeFile, content.recipe));
  manifest.files.push_back(WriteText(directory / kStateFile, RunStateToJson(content.state)));
  WriteManifest(directory, manifest);
}

void ReadBuffers(const fs::path& directory, const ParameterStore& parameters,
                 const std::vector<FlatBuffer>& buffers) {
  std::map<std::string, std::set<std::string>> wanted;  // names by file
  for (const FlatBuffer& buffer : buffers) {
    for (const auto& parameter : parameters.parameters()) {
      wanted[buffer.file].insert(buffer.prefix + parameter->name);
    }
  }
  for (const auto& [file, names] : wanted) {
    const SafetensorsReader reader(directory / file);
    for (const StoredTensor& tensor : reader.tensors()) {
      if (names.contains(tensor.name)) continue;
      ThrowUserError("{} has a tensor '{}', which the model lacks; was it written for another one?",
                     reader.path().string(), tensor.name);
    }
    for (const FlatBuffer& buffer : buffers) {
      if (buffer.file != file) continue;
      for (const auto& parameter : parameters.parameters()) {
        reader.Read(buffer.prefix + parameter->name, parameters.Slice(buffer.values, *parameter));
      }
    }
  }
}

}  // namespace heed
