#include "util/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "util/check.h"
#include "util/checksum.h"
#include "util/posix_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using internal::Descriptor;
using internal::ParentOf;
using internal::Rename;
using internal::Sync;
using internal::SyncPath;
using internal::TemporaryBeside;

constexpr size_t kBufferBytes = size_t{1} << 20;

// What a user can do about an error, or nothing.
std::string_view Advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space or choose another directory";
    case EFBIG:
      return "; raise the limit on file sizes (ulimit -f) or choose another file system";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; check the permissions";
    case ENOENT:
    case ENOTDIR:
      return "; check the path";
    default:
      return "";
  }
}

}  // namespace

void ThrowFileError(std::string_view action, const fs::path& path, int error) {
  std::string space;
  struct statvfs status {};
  if (action != "read" && statvfs(ParentOf(path).c_str(), &status) == 0) {
    space = fmt::format("; {} free there", FormatBytes(FreeBytes(ParentOf(path))));
  }
  ThrowUserError("cannot {} {}: {}{}{}", action, path.string(),
                 std::generic_category().message(error), space, Advice(error));
}

std::string FormatBytes(int64_t bytes) {
  constexpr std::array<const char*, 6> kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  const int digits = unit == 0 || value >= 100 ? 0 : (value >= 10 ? 1 : 2);
  return fmt::format("{:.{}f} {}", value, digits, kUnits[unit]);
}

std::string ReadFile(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) ThrowFileError("read", path, errno);
  std::string content;
  size_t length = 0;
  while (true) {
    if (content.size() - length < kBufferBytes) content.resize(content.size() + kBufferBytes);
    const ssize_t count = read(file.get(), content.data() + length, content.size() - length);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowFileError("read", path, errno);
    length += static_cast<size_t>(count);
  }
  content.resize(length);
  return content;
}

void WriteFile(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.Write(content);
  file.Commit();
}

int64_t FileSize(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) ThrowFileError("read", path, errno);
  return status.st_size;
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), temporary_(TemporaryBeside(path_)) {
  constexpr mode_t kReadAndWrite = 0666;  // less the user's umask
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadAndWrite);
  if (descriptor_ < 0) ThrowFileError("write", path_, errno);
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

void AtomicFile::Write(const void* data, int64_t bytes) {
  HEED_CHECK(descriptor_ >= 0, "{} is written after Commit", path_.string());
  crc32_ = Crc32(data, bytes, crc32_);
  bytes_ += bytes;
  if (buffer_.size() + static_cast<size_t>(bytes) > kBufferBytes) Flush();
  if (static_cast<size_t>(bytes) >= kBufferBytes) {
    WriteAll(static_cast<const std::byte*>(data), bytes);
  } else {
    buffer_.append(static_cast<const char*>(data), static_cast<size_t>(bytes));
  }
}

void AtomicFile::Flush() {
  WriteAll(reinterpret_cast<const std::byte*>(buffer_.data()),
           static_cast<int64_t>(buffer_.size()));
  buffer_.clear();
}

void AtomicFile::WriteAll(const std::byte* data, int64_t bytes) {
  while (bytes > 0) {
    const ssize_t count = write(descriptor_, data, static_cast<size_t>(bytes));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowFileError("write", path_, errno);
    data += count;
    bytes -= count;
  }
}

void AtomicFile::Commit() {
  HEED_CHECK(descriptor_ >= 0, "{} is committed twice", path_.string());
  Flush();
  Sync(descriptor_, path_);
  Rename(temporary_, path_);
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) ThrowFileError("write", path_, errno);
  SyncPath(ParentOf(path_));
}

int64_t FreeBytes(const fs::path& path) {
  fs::path existing = fs::absolute(path);
  while (!fs::exists(existing) && existing.has_relative_path()) existing = existing.parent_path();
  struct statvfs status {};
  if (statvfs(existing.c_str(), &status) != 0) ThrowFileError("read", existing, errno);
  return static_cast<int64_t>(status.f_bavail) * static_cast<int64_t>(status.f_frsize);
}

void RequireFreeBytes(const fs::path& path, int64_t bytes, std::string_view what) {
  const int64_t free = FreeBytes(path);
  if (free >= bytes) return;
  ThrowUserError(
      "{} needs {} in {}, where {} are free; free some space or choose another directory", what,
      FormatBytes(bytes), path.string(), FormatBytes(free));
}

}  // namespace heed
