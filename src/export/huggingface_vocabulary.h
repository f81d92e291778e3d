// The tokenizer files of a Hugging Face directory, as SentencePiece models and the pieces of each
// id. Understood are
//   MarianTokenizer   source.spm and target.spm; ids from vocab.json, or from it and
//                     target_vocab.json
//   PegasusTokenizer  spiece.model; its ids + 103, with tokens of pretraining before
//   M2M100Tokenizer   sentencepiece.bpe.model; ids from vocab.json, then the languages
// and their Fast forms where these have the same files. Source: transformers 4.44,
// models/*/tokenization_*.py.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/huggingface_class.h"
#include "export/imported_model.h"

namespace heed {

struct HuggingFaceVocabulary {
  std::filesystem::path source_model, target_model;  // SentencePiece's
  // What each of the class's ids stands for; empty = nothing. The same if the sides share ids.
  std::vector<std::string> source, target;
  bool shares_ids = true;
  std::string end, unknown, padding;
  std::set<std::string> specials;                // pieces that no text is cut into, but for marks
  std::map<std::string, std::string> languages;  // M2M100: "en" -> "__en__"
  std::string source_language, target_language;  // as the files say; may be empty
};

// `given` are SentencePiece models to use in place of the directory's. Throws UserError that names
// the file if one is missing, broken, or does not fit the model.
HuggingFaceVocabulary ReadHuggingFaceVocabulary(const std::filesystem::path& directory,
                                                const HuggingFaceClass& type,
                                                const ImportVocabularies& given);

}  // namespace heed
