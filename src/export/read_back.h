// Exported files, read as a model again: what the parity check at the end of an export compares
// with its source.
#pragma once

#include <functional>
#include <string>

#include "export/row_source.h"
#include "export/tensor_names.h"
#include "models/transformer/transformer_shape.h"
#include "tensor/parameter_store.h"

namespace heed {

struct ReadBackModel {
  TransformerShape shape;                           // as the files describe it
  std::function<void(const ParameterStore&)> fill;  // sets every value of such a model
};

// Sets the values of all parameters, which are float32 in host memory, from the tensors that
// `open` gives for their names. Throws UserError if a shape differs from what the model needs,
// InternalError if the table leaves part of a parameter without values.
void FillParameters(const ParameterStore& parameters, const TensorNames& names,
                    const std::function<RowSource(const std::string& theirs)>& open);

}  // namespace heed
