// What we need of the ZIP format: sections 4.3.7, 4.3.12 and 4.3.16 of PKWARE's APPNOTE.TXT.
#pragma once

#include <cstdint>
#include <string_view>

namespace heed {

inline constexpr std::string_view kZipLocalMark = "PK\x03\x04";    // before each entry
inline constexpr std::string_view kZipCentralMark = "PK\x01\x02";  // each entry of the directory
inline constexpr std::string_view kZipEndMark = "PK\x05\x06";
// Sizes without names, extra fields and comments.
inline constexpr int64_t kZipLocalBytes = 30;
inline constexpr int64_t kZipCentralBytes = 46;
inline constexpr int64_t kZipEndBytes = 22;

}  // namespace heed
