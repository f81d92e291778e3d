// The tensors of Hugging Face's Marian and Pegasus classes and the parameters that they hold.
// Source: transformers 4.44, models/marian/modeling_marian.py, models/pegasus/modeling_pegasus.py.
#pragma once

#include "config/model_options.h"
#include "export/tensor_names.h"

namespace heed {

inline constexpr const char* kHuggingFaceEncoderPositions = "model.encoder.embed_positions.weight";
inline constexpr const char* kHuggingFaceDecoderPositions = "model.decoder.embed_positions.weight";
inline constexpr const char* kHuggingFaceOutputBias = "final_logits_bias";  // [1, vocabulary]

// All but the positions. The classes have every bias, so that biases are named whether or not the
// options have them.
TensorNames HuggingFaceNames(const ModelOptions& options);

// Tensors with a row, or column, per token.
bool IsPerToken(const TensorName& name);

}  // namespace heed
