// Makes the model that a recipe names.
#pragma once

#include <memory>

#include "config/model_options.h"
#include "models/seq2seq_model.h"
#include "models/transformer/transformer_shape.h"

namespace heed {

// Declares the model's parameters in `store`, which must outlive it.
std::unique_ptr<Seq2SeqModel> MakeModel(ParameterStore& store, const TransformerShape& shape,
                                        bool checkpoint_layers);

// Longest source the model can take, in tokens with end mark; 0 = any.
int64_t LongestSource(const ModelOptions& options);

}  // namespace heed
