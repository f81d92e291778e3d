// What a field list may hold, as concepts, and how each type is named and written in a recipe:
// bool, int64_t, double, std::string, an enum with names, std::optional of these, a section (a
// struct with VisitFields), and std::vector of values or sections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "config/enum_names.h"
#include "config/scalar_text.h"

namespace heed {

namespace internal {
struct AnyVisitor {
  template <class... Arguments>
  void operator()(Arguments&&... /*arguments*/) {}
};
template <class Value>
inline constexpr bool kIsOptional = false;
template <class Value>
inline constexpr bool kIsOptional<std::optional<Value>> = true;
template <class Value>
inline constexpr bool kIsList = false;
template <class Value>
inline constexpr bool kIsList<std::vector<Value>> = true;
}  // namespace internal

template <class Value>
concept SectionField = requires(Value value, internal::AnyVisitor visitor) {
  value.VisitFields(visitor);
};

template <class Value>
concept OptionalField = internal::kIsOptional<Value>;

template <class Value>
concept ListField = internal::kIsList<Value>;

template <class Value>
concept SectionListField = ListField<Value> && SectionField<typename Value::value_type>;

template <class Value>
concept EnumField = std::is_enum_v<Value>;

// "integer", "number", "true | false", "text", "post | pre", "list of ...", "section".
template <class Value>
std::string FieldTypeName() {
  if constexpr (OptionalField<Value>) {
    return FieldTypeName<typename Value::value_type>() + " or null";
  } else if constexpr (ListField<Value>) {
    using Item = typename Value::value_type;
    return SectionField<Item> ? "list of sections" : "list of " + FieldTypeName<Item>();
  } else if constexpr (SectionField<Value>) {
    return "section";
  } else if constexpr (EnumField<Value>) {
    return EnumChoices<Value>();
  } else if constexpr (std::is_same_v<Value, bool>) {
    return "true | false";
  } else if constexpr (std::is_same_v<Value, int64_t>) {
    return "integer";
  } else if constexpr (std::is_same_v<Value, double>) {
    return "number";
  } else {
    static_assert(std::is_same_v<Value, std::string>, "not a type that recipes can hold");
    return "text";
  }
}

// Any value but a section as YAML on one line, such as 0.1, null or [nll, bleu].
template <class Value>
std::string FormatField(const Value& value) {
  if constexpr (OptionalField<Value>) {
    return value ? FormatField(*value) : "null";
  } else if constexpr (ListField<Value>) {
    std::string text;
    for (const auto& item : value) text += (text.empty() ? "" : ", ") + FormatField(item);
    return '[' + text + ']';
  } else if constexpr (EnumField<Value>) {
    return FormatText(EnumToString(value));
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<Value, int64_t>) {
    return std::to_string(value);
  } else if constexpr (std::is_same_v<Value, double>) {
    return FormatNumber(value);
  } else {
    static_assert(std::is_same_v<Value, std::string>, "not a type that recipes can hold");
    return FormatText(value);
  }
}

}  // namespace heed
