// Does an exported model compute what its source does? Both run on the same made-up sentences.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "backend/backend.h"
#include "data/batch.h"
#include "export/element_type.h"
#include "models/transformer/transformer_shape.h"
#include "tensor/parameter_store.h"

namespace heed {

// Made-up sentences for models of these vocabularies: a few of 1 to 24 random tokens, always the
// same.
Batch MakeProbe(const TransformerShape& shape);

// Log-probabilities, in nats, that a model gives to the probe's target tokens. `fill` sets the
// values of the model's parameters, which are all that is in memory besides one small batch. The
// model may have more tokens than the probe was made for.
std::vector<double> ProbeLogProbabilities(Batch probe, const TransformerShape& shape,
                                          const std::function<void(const ParameterStore&)>& fill,
                                          Backend& backend);

struct ParityReport {
  int64_t tokens = 0;
  double largest_difference = 0;  // nats
  double mean_difference = 0;     // nats, of magnitudes
};

ParityReport CompareProbes(const std::vector<double>& source, const std::vector<double>& exported);

// Whether the difference is no more than rounding to `type` explains. float32: at most 1e-4 nats at
// any token (only the order of sums may differ). The others: a mean that real and random models
// stay far below, and that a misplaced matrix exceeds.
bool IsWithinRounding(const ParityReport& report, ElementType type);

}  // namespace heed
