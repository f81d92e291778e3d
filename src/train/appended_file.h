// A log file to which whole entries are appended, for as long as a training runs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heed {

class AppendedFile {
 public:
  explicit AppendedFile(std::filesystem::path path) : path_(std::move(path)) {}

  // Appends an entry, which is in the file when this returns. What cannot be written (a full disk)
  // leaves no torn entry, is logged once and is kept for the next call.
  void Append(std::string_view entry);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::string pending_;  // entries that are not in the file yet
  bool has_failed_ = false;
};

}  // namespace heed
