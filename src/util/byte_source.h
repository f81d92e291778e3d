// The bytes of a file, decompressed on the way if it is gzip or Zstandard data. What a file is, its
// first bytes say, never its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace heed {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Writes up to `capacity` (> 0) bytes to `data` and returns how many; at least one unless the end
  // is reached or the file is damaged. Waits for no more than is there (terminals, pipes).
  virtual int64_t Read(char* data, int64_t capacity) = 0;

  // What is damaged, for instance "gzip data end too early at byte 1234"; empty if nothing is.
  const std::string& fault() const { return fault_; }

 protected:
  std::string fault_;
};

// Opens a file, or standard input for "-". Throws UserError if it cannot be read or if it holds
// what no part of Heed reads: xz, bzip2 and zip files, UTF-16 text.
std::unique_ptr<ByteSource> OpenByteSource(const std::filesystem::path& path);

}  // namespace heed
