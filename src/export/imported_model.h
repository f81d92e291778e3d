// A model of another toolkit, read as one of ours: what importers make and ImportModel writes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "config/recipe.h"
#include "data/vocabulary.h"
#include "models/transformer/transformer_shape.h"
#include "tensor/parameter_store.h"

namespace heed {

struct ImportLanguages {
  std::string source, target;  // as the user says; empty = as the files do
};

struct ImportedModel {
  TransformerShape shape;
  Vocabularies vocabularies;                               // their sizes are the shape's
  std::function<void(const ParameterStore&)> fill;         // sets every value of such a model
  std::optional<DecodingOptions> decoding = {};            // if the files say how to translate
  std::string source_language = {}, target_language = {};  // if the files say it
  std::string source_prefix = {}, target_prefix = {};      // vocabulary.source_prefix, ...
  std::optional<Recipe> recipe = {};                       // of our own models
  int64_t update = 0;                                      // of training, if it is known
};

// Where the SentencePiece models are; empty = looked for beside the model.
struct ImportVocabularies {
  std::string source, target;  // the same file = joint
};

}  // namespace heed
