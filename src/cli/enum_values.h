// The values that an option of an enumeration may have.
#pragma once

#include <string>
#include <vector>

namespace heed {

template <class Enum>
std::vector<std::string> EnumValues() {
  std::vector<std::string> names;
  for (const auto& entry : EnumNames(Enum{})) names.emplace_back(entry.name);
  return names;
}

}  // namespace heed
