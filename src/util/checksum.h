// Checksums that find damaged files, and fingerprints that tell different inputs apart. Neither
// resists somebody who forges on purpose.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace heed {

// CRC-32 as in gzip and PNG (polynomial 0x04C11DB7, reflected). `crc` continues an earlier one.
uint32_t Crc32(const void* data, int64_t bytes, uint32_t crc = 0);
uint32_t Crc32OfFile(const std::filesystem::path& path);

// FNV-1a with 64 bits (Fowler, Noll and Vo). `hash` continues an earlier one.
inline constexpr uint64_t kFnv1aStart = 14695981039346656037ULL;
constexpr uint64_t Fnv1a64(std::string_view text, uint64_t hash = kFnv1aStart) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

// Lower-case hexadecimal with leading zeros: 8 and 16 digits.
std::string HexDigits(uint32_t value);
std::string HexDigits(uint64_t value);

// Fuzzers make files up, and a checksum would keep them from what lies behind it.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr bool kTrustsChecksums = true;
#else
inline constexpr bool kTrustsChecksums = false;
#endif

}  // namespace heed
