// The batches that this and the PyTorch trainer read: JSON lines, see batches.py.
#pragma once

#include <filesystem>
#include <vector>

#include "data/batch.h"

namespace heed {

// Every line one batch, packed as training packs it. Throws UserError, with file and line, for what
// is no batch or has an id outside [0, vocabulary).
std::vector<Batch> ReadBatches(const std::filesystem::path& path, int64_t vocabulary);

}  // namespace heed
