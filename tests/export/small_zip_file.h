// ZIP archives for tests, good ones by libzip.
#pragma once

#include <zip.h>

#include <filesystem>
#include <string>
#include <vector>

#include "util/check.h"

namespace heed {

struct FileToZip {
  std::string name;
  std::string content;
  bool is_deflated = true;
  bool is_link = false;
};

inline void WriteZip(const std::filesystem::path& path, const std::vector<FileToZip>& files) {
  int error = 0;
  zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  HEED_CHECK(zip != nullptr, "error {} of libzip", error);
  for (const FileToZip& file : files) {
    zip_source_t* source = zip_source_buffer(zip, file.content.data(), file.content.size(), 0);
    const auto index = static_cast<zip_uint64_t>(zip_file_add(zip, file.name.c_str(), source, 0));
    zip_set_file_compression(zip, index, file.is_deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    if (file.is_link) {
      constexpr zip_uint32_t kLink = 0120777U << 16;
      zip_file_set_external_attributes(zip, index, 0, ZIP_OPSYS_UNIX, kLink);
    }
  }
  HEED_CHECK(zip_close(zip) == 0, "libzip cannot write {}", path.string());
}

// All files below a directory.
inline std::vector<FileToZip> FilesBelow(const std::filesystem::path& directory,
                                         const std::string& prefix,
                                         std::string (*read)(const std::filesystem::path&)) {
  std::vector<FileToZip> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    const auto name = std::filesystem::relative(entry.path(), directory).string();
    files.push_back({.name = prefix + name, .content = read(entry.path())});
  }
  return files;
}

}  // namespace heed
