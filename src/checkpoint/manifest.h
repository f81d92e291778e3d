// manifest.json: name, size and checksum of every other file of a checkpoint or model directory. It
// is written last, so a directory without it is not whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

inline constexpr std::string_view kManifestFile = "manifest.json";

struct ManifestEntry {
  std::string file;  // below the directory: "a", "folder/a"
  int64_t bytes = 0;
  uint32_t crc32 = 0;  // util/checksum.h
  bool operator==(const ManifestEntry&) const = default;
};

struct Manifest {
  int64_t update = 0;  // the training update that the directory holds
  std::vector<ManifestEntry> files;

  const ManifestEntry* Find(std::string_view file) const;  // nullptr if it is not listed
  bool operator==(const Manifest&) const = default;
};

void WriteManifest(const std::filesystem::path& directory, const Manifest& manifest);

// Throws UserError if it is absent or makes no sense.
Manifest ReadManifest(const std::filesystem::path& directory);

// Reads the listed file and throws UserError that names it unless it has the listed size and
// checksum. VerifyDirectory checks every file and returns the manifest.
void VerifyFile(const std::filesystem::path& directory, const ManifestEntry& entry);
Manifest VerifyDirectory(const std::filesystem::path& directory);

}  // namespace heed
