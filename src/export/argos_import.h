// Imports packages of Argos Translate and LibreTranslate: a CTranslate2 directory with the
// SentencePiece model beside it and a note of the languages.
#pragma once

#include <filesystem>

#include "export/imported_model.h"

namespace heed {

// `package`: an .argosmodel file's content, unpacked. Throws UserError.
ImportedModel ImportArgos(const std::filesystem::path& package, const ImportVocabularies& given);

}  // namespace heed
