// The tokenizers of both sides: trained on the training corpora, or given by the recipe.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/recipe.h"
#include "data/filters.h"
#include "text/tokenizer.h"

namespace heed {

// Both are the same object, but for prefixes, if the vocabulary is joint, which is why they are
// shared.
struct Vocabularies {
  std::shared_ptr<const Tokenizer> source, target;

  bool is_joint() const { return &source->base() == &target->base(); }
  // True also if two SentencePiece models cut text into the pieces of one list: whether one
  // embedding can serve both sides.
  bool shares_ids() const;
};

// Equal for vocabularies that are alike in every piece and rule.
std::string FingerprintOf(const Vocabularies& vocabularies);

// True if the recipe names SentencePiece models, so that none is trained.
bool HasGivenVocabularies(const VocabularyOptions& options);
// Throws UserError if a model is missing or does not fit the recipe.
Vocabularies LoadGivenVocabularies(const Recipe& recipe);

// Trains on the pairs that pass the filter's rules about text, at most
// vocabulary.max_training_sentences of them, drawn evenly from all corpora; the same data and
// options give the same models. Throws UserError if the sizes do not suit the text.
Vocabularies TrainVocabularies(const Recipe& recipe, const PairFilter& filter);

// The names of the files of a directory that hold them: vocabulary.model, or
// vocabulary.source.model and vocabulary.target.model; for each a list of pieces, such as
// vocabulary.pieces.json, if its ids are not SentencePiece's.
std::vector<std::string> VocabularyFileNames(const Vocabularies& vocabularies);
void SaveVocabularies(const Vocabularies& vocabularies, const std::filesystem::path& directory);
Vocabularies LoadVocabularies(const std::filesystem::path& directory,
                              const VocabularyOptions& options);

}  // namespace heed
