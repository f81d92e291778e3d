// Writes Marian's .bin (marian_format.h), which Marian maps into memory.
#pragma once

#include <filesystem>
#include <vector>

#include "export/marian_items.h"

namespace heed {

void WriteMarianBin(const std::filesystem::path& path, const std::vector<MarianItem>& items);

}  // namespace heed
