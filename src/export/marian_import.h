// Imports models of Marian: directories with decoder.yml, single .npz and .bin files, and unpacked
// models of OPUS-MT.
#pragma once

#include <filesystem>

#include "export/imported_model.h"

namespace heed {

// Throws UserError if the files are broken or the model has what Heed lacks.
ImportedModel ImportMarian(const std::filesystem::path& path, const ImportVocabularies& given);

}  // namespace heed
