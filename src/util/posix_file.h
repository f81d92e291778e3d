// What files.cc, mapped_file.cc and directories.cc share. Not for others.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string_view>

namespace heed::internal {

inline constexpr std::string_view kTemporaryPrefix = ".tmp-";

// Owns a descriptor while errors may fly.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

// The directory of a path; "." for a bare name.
std::filesystem::path ParentOf(const std::filesystem::path& path);

// A ".tmp-*" name beside `path` that no other thread or process of this machine uses.
std::filesystem::path TemporaryBeside(const std::filesystem::path& path);

// fsync; `path` is for the error. Silent where the file system knows no syncing.
void Sync(int descriptor, const std::filesystem::path& path);
void SyncPath(const std::filesystem::path& path);

// rename; throws UserError.
void Rename(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace heed::internal
