// What Marian's models cannot be.
#pragma once

#include <string>
#include <vector>

#include "export/element_type.h"
#include "export/model_source.h"

namespace heed {

// Every reason why neither of Marian's files can hold the model, each a sentence; none = it can.
std::vector<std::string> FindMarianObstacles(const ModelSource& model, ElementType type);

}  // namespace heed
