// The global gradient norm: clipping, and the search for what is not finite.
#pragma once

#include <string>

#include "backend/backend.h"
#include "tensor/parameter_store.h"

namespace heed {

// sqrt of the sum of squares of the whole flat gradient buffer, times `factor`. Infinite or NaN if
// any element is.
double GradientNorm(Backend& backend, const ParameterStore& store, double factor);

// What gradients must be multiplied by so that their norm does not exceed `clip_norm`; 1 if it does
// not, or if clip_norm is 0 (Pascanu et al. 2013).
double ClipFactor(double norm, double clip_norm);

// "encoder.layer1.feed_forward.up.weight[3, 17] = nan": the first gradient element that is not
// finite, in the order of the forward pass; empty if all are.
std::string FirstNonFinite(const ParameterStore& store);

}  // namespace heed
