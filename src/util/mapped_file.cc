#include "util/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "util/check.h"
#include "util/files.h"
#include "util/posix_file.h"

namespace heed {

namespace fs = std::filesystem;
using internal::Descriptor;

MappedFile::MappedFile(const fs::path& path) : path_(path) {
  // Opening a pipe would wait for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) ThrowFileError("read", path, errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) ThrowFileError("read", path, errno);
  if (!S_ISREG(status.st_mode)) {
    ThrowUserError("cannot read {}: it is a folder, a pipe or a device, not a file", path.string());
  };
  size_ = status.st_size;
  if (size_ == 0) return;
  data_ = mmap(nullptr, static_cast<size_t>(size_), PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data_ == MAP_FAILED) {
    data_ = nullptr;
    ThrowFileError("read", path, errno);
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(size_));
}

}  // namespace heed
