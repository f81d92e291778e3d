// The YAML files of a Marian directory: the options inside the model file, and decoder.yml, which
// marian-decoder takes with --config.
// Source: marian-dev 1.12, common/config_parser.cpp, models/encoder_decoder.cpp.
#pragma once

#include <string>
#include <vector>

#include "config/decoding_options.h"
#include "export/marian_format.h"
#include "models/transformer/transformer_shape.h"

namespace heed {

// All options that make the model, also the ones that Marian's converters want to see.
std::string MarianModelYaml(const TransformerShape& shape);

struct MarianFiles {
  std::string model;
  std::vector<std::string> vocabularies;  // source, target
};

// How to translate as the recipe says, as far as Marian can.
std::string MarianDecoderYaml(const MarianFiles& files, const DecodingOptions& decoding);

// Marian's name of an activation function; "" if it has no such function.
std::string MarianActivation(ActivationKind kind);

}  // namespace heed
