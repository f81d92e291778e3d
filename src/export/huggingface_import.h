// Imports a directory that Hugging Face's transformers saved: MarianMTModel,
// PegasusForConditionalGeneration or M2M100ForConditionalGeneration with its tokenizer.
#pragma once

#include <filesystem>

#include "export/imported_model.h"

namespace heed {

// Sinusoids, stored or not, become formulas. Ids stay, but for a padding token that nothing can
// produce, which is left out. `languages` choose the pieces that a model of several languages wants
// before its sources and translations. Throws UserError if a file is broken or missing, or if Heed
// would compute the model in another way.
ImportedModel ImportHuggingFace(const std::filesystem::path& directory,
                                const ImportVocabularies& vocabularies,
                                const ImportLanguages& languages);

}  // namespace heed
