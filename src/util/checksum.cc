#include "util/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include "util/mapped_file.h"

namespace heed {

uint32_t Crc32(const void* data, int64_t bytes, uint32_t crc) {
  if (bytes == 0) return crc;  // zlib takes a null pointer for a request to start over
  return static_cast<uint32_t>(
      crc32_z(crc, static_cast<const Bytef*>(data), static_cast<z_size_t>(bytes)));
}

uint32_t Crc32OfFile(const std::filesystem::path& path) {
  const MappedFile file(path);
  return Crc32(file.data(), file.size());
}

std::string HexDigits(uint32_t value) {
  return fmt::format("{:08x}", value);
}

std::string HexDigits(uint64_t value) {
  return fmt::format("{:016x}", value);
}

}  // namespace heed
