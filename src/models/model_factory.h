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

}  // namespace heed
