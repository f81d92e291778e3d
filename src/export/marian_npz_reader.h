// Finds the arrays of an .npz whose entries are stored, as Marian and numpy.savez write it. A file
// from anywhere is safe to open: names are only names, and nothing is unpacked.
#pragma once

#include <vector>

#include "export/marian_format.h"
#include "util/mapped_file.h"

namespace heed {

// Checks every checksum. Throws UserError naming the file if it is none, is damaged, or holds
// something other than arrays of MarianType's types in row-major order.
std::vector<MarianArray> FindMarianNpzArrays(const MappedFile& file);

}  // namespace heed
