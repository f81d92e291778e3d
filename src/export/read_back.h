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

// Files come from anywhere, so these two look at what they say before memory is asked for. Both
// throw UserError.
// Numbers that a model can have: nothing negative, none so large that sizes overflow.
void RequirePlausible(const TransformerShape& shape);
// Every parameter has its tensor, and every tensor the parameter's shape; so the model is no larger
// than the files. `shape` must be plausible.
void RequireTensorsFit(const TransformerShape& shape, const TensorNames& names,
                       const std::function<RowSource(const std::string& theirs)>& open);

// Sets the values of all parameters, which are float32 in host memory, from the tensors that
// `open` gives for their names. Throws UserError if a shape differs from what the model needs,
// InternalError if the table leaves part of a parameter without values.
void FillParameters(const ParameterStore& parameters, const TensorNames& names,
                    const std::function<RowSource(const std::string& theirs)>& open);

// RequireTensorsFit now and FillParameters when it is called: what every reader of files returns.
std::function<void(const ParameterStore&)> FillFrom(
    const TransformerShape& shape, TensorNames names,
    std::function<RowSource(const std::string& theirs)> open);

}  // namespace heed
