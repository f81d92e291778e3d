// Imports a directory of CTranslate2 (github.com/OpenNMT/CTranslate2), whoever has converted it.
#pragma once

#include <filesystem>

#include "export/imported_model.h"

namespace heed {

// Tables of sinusoids become formulas again, rows of the vocabulary come in SentencePiece's order.
// Weights in 16 bits or int8 become float32. Throws UserError if a file is broken, a vocabulary
// does not fit, or the model has anything that Heed would not compute in the same way.
ImportedModel ImportCtranslate2(const std::filesystem::path& directory,
                                const ImportVocabularies& vocabularies);

}  // namespace heed
