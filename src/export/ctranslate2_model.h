// Reads a CTranslate2 directory as one of our models, by what the files say of themselves.
#pragma once

#include <filesystem>

#include "export/read_back.h"

namespace heed {

// The model's positions are a table, as the format stores them: "learned". Throws UserError if a
// file is broken or the model has something that Heed lacks.
ReadBackModel ReadCtranslate2Model(const std::filesystem::path& directory);

}  // namespace heed
