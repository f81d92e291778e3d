// The options of a Marian model ("special:model.yml") as ours.
#pragma once

#include <string>

#include "models/transformer/transformer_shape.h"

namespace heed {

// `source` names the file in messages. Throws UserError if the text is not a map with the options
// that decide a model, or if the model has what Heed lacks; then names every such option. The sizes
// are as claimed, not checked; of trained positions the number is not known.
TransformerShape ParseMarianOptions(const std::string& yaml, const std::string& source);

}  // namespace heed
