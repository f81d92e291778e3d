// Applies a constraint of a field list to a field: to the value inside an optional, to each item of
// a list (NonEmpty: to the list itself).
#pragma once

#include <type_traits>

#include "config/constraints.h"
#include "config/field_types.h"

namespace heed {

// True for constraints that look at a list as a whole.
template <class Constraint>
inline constexpr bool kConstrainsWholeList =
    std::is_same_v<Constraint, NonEmpty> || std::is_same_v<Constraint, ForReaderOnly>;

template <class Value, class Constraint>
bool AcceptsSingle(const Constraint& constraint, const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return constraint.Accepts(static_cast<double>(value));
  } else {
    return constraint.Accepts(value);
  }
}

template <class Value, class Constraint>
bool AcceptsField(const Constraint& constraint, const Value& value) {
  if constexpr (OptionalField<Value>) {
    return !value || AcceptsSingle(constraint, *value);
  } else if constexpr (ListField<Value> && !kConstrainsWholeList<Constraint>) {
    for (const auto& item : value) {
      if (!AcceptsSingle(constraint, item)) return false;
    }
    return true;
  } else {
    return AcceptsSingle(constraint, value);
  }
}

}  // namespace heed
