// Writes NumPy's .npz the way Marian does: every entry stored, its size and checksum in front of
// it, since Marian reads those and not the directory at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "export/marian_items.h"

namespace heed {

// Marian's reader knows only 32-bit sizes and places.
inline constexpr int64_t kLargestNpz = std::numeric_limits<uint32_t>::max();

// Of the file that WriteMarianNpz would write.
int64_t MarianNpzBytes(const std::vector<MarianItem>& items);

// Throws UserError if the file would be larger than kLargestNpz.
void WriteMarianNpz(const std::filesystem::path& path, const std::vector<MarianItem>& items);

}  // namespace heed
