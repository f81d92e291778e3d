// The arrays of a Marian Transformer and the parameters that they hold.
// Source: marian-dev 1.12, models/transformer.h, layers/embedding.cpp, layers/output.cpp.
#pragma once

#include <string_view>

#include "config/model_options.h"
#include "export/tensor_names.h"

namespace heed {

// Lists every bias, because Marian's models have them all: `options.projection_bias` and
// `output_bias` do not matter. Gated units have no names there and must not be asked for.
TensorNames MarianNames(const ModelOptions& options);

// Whether an array is stored [inputs, outputs], where our weights are [outputs, inputs].
bool IsTransposedInMarian(std::string_view theirs);

}  // namespace heed
