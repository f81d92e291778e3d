// The tensors of a CTranslate2 Transformer and the parameters that they hold.
// Source: CTranslate2 4.8, python/ctranslate2/specs/transformer_spec.py.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/model_options.h"
#include "export/tensor_names.h"

namespace heed {

inline constexpr const char* kCtranslate2EncoderPositions = "encoder/position_encodings/encodings";
inline constexpr const char* kCtranslate2DecoderPositions = "decoder/position_encodings/encodings";

// All but the positions.
TensorNames Ctranslate2Names(const ModelOptions& options);

// Names that stand for another tensor: {alias, name}.
std::vector<std::pair<std::string, std::string>> Ctranslate2Aliases(const ModelOptions& options);

// Number of the activation function in the format's `activation` attribute.
int Ctranslate2Activation(ActivationKind kind);
// The converse. Throws UserError for a function that Heed does not have.
ActivationKind ActivationFromCtranslate2(int64_t number);

}  // namespace heed
