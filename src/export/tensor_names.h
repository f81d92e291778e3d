// The tables that say which tensor of a foreign format is which parameter of ours. They serve both
// directions: exporters write by them, and our readers fill a parameter store by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed {

// One tensor of the format: outputs [first, first + count) of one of our parameters.
struct TensorName {
  std::string theirs;
  std::string ours;
  int64_t first = 0;
  int64_t count = kAll;

  static constexpr int64_t kAll = -1;
};

using TensorNames = std::vector<TensorName>;

}  // namespace heed
