#include "checkpoint/model_directory.h"

#include <system_error>

#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/manifest.h"
#include "util/check.h"

namespace heed {

namespace fs = std::filesystem;

fs::path FindModel(const fs::path& model) {
  std::error_code error;
  for (const fs::path& candidate : {model, model / kBestLink, model / kLastLink}) {
    if (fs::exists(candidate / kManifestFile, error)) return fs::canonical(candidate);
  }
  if (!fs::exists(model, error)) {
    ThrowUserError(
        "{} does not exist; name a run directory, a checkpoint in it, or its link best or last",
        model.string());
  }
  ThrowUserError(
      "{} holds no model: neither it nor its best or last has a {}; name a run directory, a "
      "checkpoint in it, or its link best or last",
      model.string(), kManifestFile);
}

std::string WeightsFile(const fs::path& directory) {
  const Manifest manifest = ReadManifest(directory);
  return std::string(manifest.Find(kAverageFile) != nullptr ? kAverageFile : kModelFile);
}

void LoadModel(const fs::path& directory, const ParameterStore& parameters) {
  const std::string file = WeightsFile(directory);
  const Manifest manifest = ReadManifest(directory);
  const ManifestEntry* entry = manifest.Find(file);
  if (entry == nullptr) {
    ThrowUserError("{} does not list {}", (directory / kManifestFile).string(), file);
  }
  VerifyFile(directory, *entry);
  ReadBuffers(directory, parameters, {{file, "", parameters.flat_values()}});
}

}  // namespace heed
