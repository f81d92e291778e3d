#include "util/directories.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "util/check.h"
#include "util/files.h"
#include "util/posix_file.h"

namespace heed {

namespace fs = std::filesystem;
using internal::kTemporaryPrefix;
using internal::ParentOf;
using internal::Rename;
using internal::SyncPath;
using internal::TemporaryBeside;

AtomicDirectory::AtomicDirectory(fs::path target)
    : target_(std::move(target)), temporary_(TemporaryBeside(target_)) {
  constexpr mode_t kAllRights = 0777;  // less the user's umask
  if (mkdir(temporary_.c_str(), kAllRights) != 0) ThrowFileError("create", target_, errno);
}

AtomicDirectory::~AtomicDirectory() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

void AtomicDirectory::Commit() {
  HEED_CHECK(!temporary_.empty(), "{} is committed twice", target_.string());
  try {
    for (const auto& entry : fs::recursive_directory_iterator(temporary_)) {
      if (!entry.is_symlink()) SyncPath(entry.path());
    }
  } catch (const fs::filesystem_error& error) {
    ThrowFileError("sync", temporary_, error.code().value());
  }
  SyncDirectory(temporary_);
  if (!fs::exists(target_)) {
    Rename(temporary_, target_);
    temporary_.clear();
  } else if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) !=
             0) {
    // No exchange on this file system: the target is absent for a moment.
    const fs::path replaced = TemporaryBeside(target_);
    Rename(target_, replaced);
    Rename(temporary_, target_);
    temporary_ = replaced;
  }
  SyncDirectory(ParentOf(target_));
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);  // what was replaced
  temporary_.clear();
}

FileLock::FileLock(const fs::path& path, std::string_view what_to_do)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) ThrowFileError("write", path, errno);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  if (error == ENOLCK || error == ENOTSUP || error == EINVAL) return;  // no locks to be had there
  close(descriptor_);
  if (error != EWOULDBLOCK) ThrowFileError("lock", path, error);
  ThrowUserError("{} is locked by another process; {}", path.string(), what_to_do);
}

FileLock::~FileLock() {
  close(descriptor_);
}

void ReplaceSymlink(const fs::path& link, const fs::path& target) {
  const fs::path temporary = TemporaryBeside(link);
  if (symlink(target.c_str(), temporary.c_str()) != 0) ThrowFileError("create", link, errno);
  if (rename(temporary.c_str(), link.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    ThrowFileError("create", link, error);
  }
  SyncDirectory(ParentOf(link));
}

void RequireAbsent(const fs::path& output) {
  std::error_code ignored;  // what cannot be looked at cannot be written either
  if (fs::exists(fs::symlink_status(output, ignored))) {
    ThrowUserError("{} exists already; delete it or choose another directory", output.string());
  }
}

void MakeDirectories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) ThrowFileError("create", path, error.value());
}

void RemoveDirectory(const fs::path& path) {
  const fs::path temporary = TemporaryBeside(path);
  if (rename(path.c_str(), temporary.c_str()) != 0) ThrowFileError("delete", path, errno);
  std::error_code error;
  fs::remove_all(temporary, error);
  if (error) ThrowFileError("delete", temporary, error.value());
}

void SyncDirectory(const fs::path& path) {
  SyncPath(path);
}

int64_t RemoveLeftovers(const fs::path& directory) {
  int64_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (!entry.path().filename().string().starts_with(kTemporaryPrefix)) continue;
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
    ++count;
  }
  return count;
}

}  // namespace heed
