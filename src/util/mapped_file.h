// Reading files through the memory map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace heed {

// A file mapped into memory for reading. Pages are read when they are touched; an empty file has no
// bytes. If another process shortens the file meanwhile, touching the lost part raises SIGBUS:
// replace such files (AtomicFile does), never rewrite them in place.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  const std::byte* data() const { return static_cast<const std::byte*>(data_); }
  int64_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data(), static_cast<size_t>(size_)}; }
  std::string_view text() const {
    return {static_cast<const char*>(data_), static_cast<size_t>(size_)};
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  void* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace heed
