// The metrics that a recipe names.
#pragma once

#include <memory>

#include "config/evaluation_options.h"
#include "metrics/metric.h"

namespace heed {

std::unique_ptr<Metric> MakeMetric(TestMetric metric, BleuTokenizerKind tokenizer);

}  // namespace heed
