// The visitor that fills a section from a ConfigNode: types, ranges, unknown and missing keys are
// checked here; each fault is collected with its place and the field keeps its default.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "config/config_node.h"
#include "config/constraint_check.h"
#include "config/field_types.h"
#include "config/key_index.h"
#include "config/problems.h"

namespace heed {

// What all readers of one recipe share.
struct ReadContext {
  const KeyIndex& keys;
  ProblemList& problems;
  KeyPositions& positions;
};

class FieldReader {
 public:
  // Reads the map `section`, which is at `path` ("" for the top level).
  FieldReader(const ConfigNode& section, std::string path, const ReadContext& context)
      : section_(section), path_(std::move(path)), context_(context) {}

  template <class Value, class... Constraints>
  void operator()(const char* key, Value& field, const char* /*meaning*/,
                  const Constraints&... constraints) {
    known_keys_.insert(key);
    const std::string path = path_.empty() ? key : path_ + '.' + key;
    const ConfigNode::Entry* entry = section_.Find(key);
    if (entry == nullptr) {
      (RequireIfConstrained(field, path, constraints), ...);
      return;
    }
    context_.positions[path] = entry->where;
    if (ReadValue(entry->value, field, path)) {
      (CheckConstraint(entry->value, field, path, constraints), ...);
    }
  }

  // Call after VisitFields.
  void ReportUnknownKeys() const;

 private:
  // True if `field` was set; else a problem has been added.
  template <class Value>
  bool ReadValue(const ConfigNode& node, Value& field, const std::string& path) {
    if constexpr (SectionField<Value>) {
      return ReadSection(node, field, path);
    } else if constexpr (OptionalField<Value>) {
      return ReadOptional(node, field, path);
    } else if constexpr (ListField<Value>) {
      return ReadList(node, field, path);
    } else if constexpr (EnumField<Value>) {
      return ReadEnum(node, field, path);
    } else {
      return ReadScalar(node, field, path);
    }
  }

  template <class Value>
  bool ReadSection(const ConfigNode& node, Value& field, const std::string& path) {
    if (node.kind == ConfigNode::Kind::kNull) return true;  // all of its lines are comments
    if (node.kind != ConfigNode::Kind::kMap) {
      return Refuse(node, path, "a section of 'key: value' lines");
    }
    FieldReader below(node, path, context_);
    field.VisitFields(below);
    below.ReportUnknownKeys();
    return true;
  }

  template <class Value>
  bool ReadOptional(const ConfigNode& node, Value& field, const std::string& path) {
    if (node.kind == ConfigNode::Kind::kNull) {
      field.reset();
      return true;
    }
    typename Value::value_type value{};
    if (!ReadValue(node, value, path)) return false;
    field = std::move(value);
    return true;
  }

  // A list of one may be written as the item itself.
  template <class Value>
  bool ReadList(const ConfigNode& node, Value& field, const std::string& path) {
    if (node.kind == ConfigNode::Kind::kNull) {
      return Refuse(node, path, "a list; write [] for an empty one");
    }
    const bool is_list = node.kind == ConfigNode::Kind::kList;
    const size_t num_items = is_list ? node.items.size() : 1;
    Value items(num_items);
    bool is_good = true;
    for (size_t i = 0; i < num_items; ++i) {
      const ConfigNode& item = is_list ? node.items[i] : node;
      const std::string item_path = fmt::format("{}[{}]", path, i);
      context_.positions[item_path] = item.where;
      is_good = ReadValue(item, items[i], item_path) && is_good;
    }
    if (is_good) field = std::move(items);
    return is_good;
  }

  template <class Value>
  bool ReadEnum(const ConfigNode& node, Value& field, const std::string& path) {
    std::string text;
    if (node.kind == ConfigNode::Kind::kScalar) {
      if (const auto value = EnumFromString<Value>(node.text)) {
        field = *value;
        return true;
      }
    }
    return RefuseChoice(node, path, EnumChoices<Value>("|"));
  }

  bool ReadScalar(const ConfigNode& node, bool& field, const std::string& path);
  bool ReadScalar(const ConfigNode& node, int64_t& field, const std::string& path);
  bool ReadScalar(const ConfigNode& node, double& field, const std::string& path);
  bool ReadScalar(const ConfigNode& node, std::string& field, const std::string& path);

  // Adds "'path' must be EXPECTED, not ..."; returns false.
  bool Refuse(const ConfigNode& node, const std::string& path, const std::string& expected);
  // The same for one of `choices`, separated by '|', with the nearest of them.
  bool RefuseChoice(const ConfigNode& node, const std::string& path, const std::string& choices);

  template <class Value, class Constraint>
  void CheckConstraint(const ConfigNode& node, const Value& field, const std::string& path,
                       const Constraint& constraint) {
    if (AcceptsField(constraint, field)) return;
    std::string shown = "a section";
    if constexpr (!SectionField<Value>) shown = FormatField(field);
    context_.problems.Add(node.where, fmt::format("'{}' is {}; it must be {}", path, shown,
                                                  constraint.Requirement()));
  }

  // A key whose default breaks its own constraint must be given.
  template <class Value, class Constraint>
  void RequireIfConstrained(const Value& field, const std::string& path,
                            const Constraint& constraint) {
    if (AcceptsField(constraint, field)) return;
    context_.problems.Add(section_.where, fmt::format("'{}' is missing", path));
  }

  const ConfigNode& section_;
  std::string path_;
  ReadContext context_;
  std::set<std::string> known_keys_;
};

}  // namespace heed
