// A model of another toolkit, read as one of ours: what importers make and ImportModel writes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "config/decoding_options.h"
#include "data/vocabulary.h"
#include "models/transformer/transformer_shape.h"
#include "tensor/parameter_store.h"

namespace heed {

struct ImportedModel {
  TransformerShape shape;
  Vocabularies vocabularies;                               // their sizes are the shape's
  std::function<void(const ParameterStore&)> fill;         // sets every value of such a model
  std::optional<DecodingOptions> decoding = {};            // if the files say how to translate
  std::string source_language = {}, target_language = {};  // if the files say it
};

// Where the SentencePiece models are; empty = looked for beside the model.
struct ImportVocabularies {
  std::string source, target;  // the same file = joint
};

}  // namespace heed
