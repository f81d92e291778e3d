// What a program in another language must know to run an exported model, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

// {"format": "heed", "model": {the keys of the recipe's section}, "vocabulary": sizes and ids, ...}
nlohmann::ordered_json DescribeModel(const ModelSource& model, ElementType type);

}  // namespace heed
