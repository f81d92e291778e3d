#include "checkpoint/manifest.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"
#include "util/json_file.h"
#include "util/mapped_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kFormat = 1;

uint32_t ParseHex(const std::string& digits) {
  uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, value, 16);
  if (result.ec != std::errc() || result.ptr != end || HexDigits(value) != digits) {
    throw std::invalid_argument("'" + digits + "' is not a checksum");
  }
  return value;
}

// A name below the directory: "a", "a/b".
bool IsBelow(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.back() == '/') return false;
  return std::ranges::all_of(fs::path(name), [](const fs::path& part) {
    return !part.empty() && part != "." && part != "..";
  });
}

ManifestEntry ParseEntry(const nlohmann::json& entry) {
  ManifestEntry parsed{.file = entry.at("file").get<std::string>(),
                       .bytes = entry.at("bytes").get<int64_t>(),
                       .crc32 = ParseHex(entry.at("crc32").get<std::string>())};
  if (!IsBelow(parsed.file))
    throw std::invalid_argument("'" + parsed.file + "' is not the name of a file here");
  return parsed;
}

}  // namespace

const ManifestEntry* Manifest::Find(std::string_view file) const {
  const auto found = std::ranges::find(files, file, &ManifestEntry::file);
  return found == files.end() ? nullptr : &*found;
}

void WriteManifest(const fs::path& directory, const Manifest& manifest) {
  auto files = nlohmann::ordered_json::array();
  for (const ManifestEntry& entry : manifest.files) {
    files.push_back(
        {{"file", entry.file}, {"bytes", entry.bytes}, {"crc32", HexDigits(entry.crc32)}});
  }
  const nlohmann::ordered_json object = {
      {"format", kFormat}, {"update", manifest.update}, {"files", files}};
  constexpr int kIndent = 1;
  WriteFile(directory / kManifestFile, object.dump(kIndent) + "\n");
}

Manifest ReadManifest(const fs::path& directory) {
  const fs::path path = directory / kManifestFile;
  const nlohmann::json object = ReadJsonFile(path);
  Manifest manifest;
  int64_t format = 0;
  try {
    format = object.at("format").get<int64_t>();
    manifest.update = object.at("update").get<int64_t>();
    for (const auto& entry : object.at("files")) manifest.files.push_back(ParseEntry(entry));
  } catch (const std::exception& error) {
    ThrowUserError("{} is broken: {}", path.string(), error.what());
  }
  if (format != kFormat) {
    ThrowUserError("{} has format {}, this version of Heed reads format {}; {}", path.string(),
                   format, kFormat,
                   format > kFormat ? "a newer one wrote it" : "no version has written it");
  }
  return manifest;
}

void VerifyFile(const fs::path& directory, const ManifestEntry& entry) {
  const MappedFile file(directory / entry.file);
  if (file.size() != entry.bytes) {
    ThrowUserError("{} has {} bytes, its manifest says {}", file.path().string(), file.size(),
                   entry.bytes);
  }
  const uint32_t crc32 = Crc32(file.data(), file.size());
  if (crc32 != entry.crc32) {
    ThrowUserError("{} is damaged: its checksum is {}, its manifest says {}", file.path().string(),
                   HexDigits(crc32), HexDigits(entry.crc32));
  }
}

Manifest VerifyDirectory(const fs::path& directory) {
  Manifest manifest = ReadManifest(directory);
  for (const ManifestEntry& entry : manifest.files) VerifyFile(directory, entry);
  return manifest;
}

}  // namespace heed
