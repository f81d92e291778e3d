// Files that are either whole or absent, whatever kills the process or the machine.
//
// Writers fill a temporary name in the same directory, sync it, rename it over the target and sync
// the directory (a rename is atomic on POSIX file systems). What a kill leaves behind is named
// ".tmp-*" and RemoveLeftovers (directories.h) deletes it. Errors are UserErrors that name the
// path, the system's reason and, when writing, the free space. Non-goal: several processes writing
// the same target at once; FileLock (directories.h) is for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace heed {

// Throws UserError "cannot <action> <path>: <text of error>; ... <what to do>". `error` is an
// errno.
[[noreturn]] void ThrowFileError(std::string_view action, const std::filesystem::path& path,
                                 int error);

// Three digits and a decimal unit: 999 -> "999 B", 1234567 -> "1.23 MB".
std::string FormatBytes(int64_t bytes);

// The whole file. Throws UserError if it cannot be read or is a directory.
std::string ReadFile(const std::filesystem::path& path);
// Creates or replaces a file in one step. Its directory must exist.
void WriteFile(const std::filesystem::path& path, std::string_view content);
int64_t FileSize(const std::filesystem::path& path);

// A file that appears under its name at Commit; without Commit nothing is left of it.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void Write(const void* data, int64_t bytes);
  void Write(std::string_view text) { Write(text.data(), static_cast<int64_t>(text.size())); }
  // Syncs and renames. Nothing may be written after it.
  void Commit();

  int64_t bytes() const { return bytes_; }   // written so far
  uint32_t crc32() const { return crc32_; }  // of them; see util/checksum.h
  const std::filesystem::path& path() const { return path_; }

 private:
  void Flush();
  void WriteAll(const std::byte* data, int64_t bytes);

  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  std::string buffer_;
  int64_t bytes_ = 0;
  uint32_t crc32_ = 0;
};

// Bytes that this user may still write on the file system of `path` (or of its nearest parent that
// exists).
int64_t FreeBytes(const std::filesystem::path& path);
// Throws UserError if fewer than `bytes` are free there; `what` is for the message.
void RequireFreeBytes(const std::filesystem::path& path, int64_t bytes, std::string_view what);

}  // namespace heed
