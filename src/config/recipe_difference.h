// What differs between two recipes, for instance the one given and the one stored in a checkpoint
// that training resumes from.
#pragma once

#include <string>
#include <vector>

#include "config/recipe.h"

namespace heed {

// One line per field that differs, in the order of the field lists:
//   training.schedule.peak_rate: 0.0005 -> 0.001
// A field of a list item that one recipe lacks is "absent" there.
std::vector<std::string> DescribeDifferences(const Recipe& a, const Recipe& b);

}  // namespace heed
