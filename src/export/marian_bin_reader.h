// Finds the arrays of Marian's .bin (marian_format.h). A file from anywhere is safe to open.
#pragma once

#include <vector>

#include "export/marian_format.h"
#include "util/mapped_file.h"

namespace heed {

// Throws UserError naming the file if it is none, is cut off, or holds other types than
// MarianType's.
std::vector<MarianArray> FindMarianBinArrays(const MappedFile& file);

}  // namespace heed
