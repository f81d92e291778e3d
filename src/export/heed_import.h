// Reads a model of this or an older version of Heed, so that it can be written as this version
// writes them.
#pragma once

#include <filesystem>

#include "export/imported_model.h"

namespace heed {

// `model` is what `heed translate` takes: a run, a checkpoint or a model. Of a checkpoint the
// weights that translation uses remain, and nothing that only training needs. Throws UserError if
// the files are damaged or of a newer version.
ImportedModel ImportHeed(const std::filesystem::path& model);

}  // namespace heed
