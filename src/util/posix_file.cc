#include "util/posix_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "util/files.h"

namespace heed::internal {

namespace fs = std::filesystem;

fs::path ParentOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path TemporaryBeside(const fs::path& path) {
  static std::atomic<int64_t> counter = 0;
  return ParentOf(path) / fmt::format("{}{}-{}-{}", kTemporaryPrefix, path.filename().string(),
                                      getpid(), counter.fetch_add(1));
}

void Sync(int descriptor, const fs::path& path) {
  while (fsync(descriptor) != 0) {
    if (errno == EINVAL || errno == EROFS) return;  // a file system that knows no syncing
    if (errno != EINTR) ThrowFileError("sync", path, errno);
  }
}

void SyncPath(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) ThrowFileError("sync", path, errno);
  Sync(file.get(), path);
}

void Rename(const fs::path& from, const fs::path& to) {
  if (rename(from.c_str(), to.c_str()) != 0) ThrowFileError("write", to, errno);
}

}  // namespace heed::internal
