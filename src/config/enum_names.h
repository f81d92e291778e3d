// Names of enum values as recipes and reports spell them.
//
// Each option enum has, beside it and found by argument-dependent lookup, one table:
//   constexpr auto EnumNames(NormPosition) {
//     return std::to_array<EnumName<NormPosition>>({{NormPosition::kAfter, "post"}, ...});
//   }
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "util/check.h"

namespace heed {

template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

// The name of `value`; InternalError if the table lacks it.
template <class Enum>
std::string_view EnumToString(Enum value) {
  static constexpr auto kNames = EnumNames(Enum{});
  for (const auto& entry : kNames) {
    if (entry.value == value) return entry.name;
  }
  HEED_CHECK(false, "enum value {} has no name", static_cast<int>(value));
  return {};
}

// The value called `name`, or nothing.
template <class Enum>
std::optional<Enum> EnumFromString(std::string_view name) {
  static constexpr auto kNames = EnumNames(Enum{});
  for (const auto& entry : kNames) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

// "post | pre": the values in the order of the table.
template <class Enum>
std::string EnumChoices(std::string_view separator = " | ") {
  static constexpr auto kNames = EnumNames(Enum{});
  std::string choices;
  for (const auto& entry : kNames) {
    if (!choices.empty()) choices += separator;
    choices += entry.name;
  }
  return choices;
}

}  // namespace heed
