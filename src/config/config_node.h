// The untyped tree of a recipe file: what stands between YAML text and the option structs, so that
// includes and command-line settings can be merged while every value keeps its place of origin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/problems.h"

namespace heed {

struct ConfigNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Entry;

  static ConfigNode Null(SourcePosition where);
  static ConfigNode Scalar(std::string text, bool quoted, SourcePosition where);
  static ConfigNode List(SourcePosition where);
  static ConfigNode Map(SourcePosition where);

  Kind kind = Kind::kNull;
  std::string text;     // kScalar
  bool quoted = false;  // kScalar: written in quotes, so certainly meant as text
  SourcePosition where;
  std::vector<ConfigNode> items;  // kList
  std::vector<Entry> entries;     // kMap, in the order of the file, keys unique

  // The entry with that key, or nullptr.
  const Entry* Find(std::string_view key) const;
  Entry* Find(std::string_view key);

  // For messages: "nothing", "'four'", "a list", "a section".
  std::string Describe() const;
};

struct ConfigNode::Entry {
  std::string key;
  SourcePosition where;  // of the key
  ConfigNode value;
};

// Lays `top` over `base`: maps merge key by key, everything else replaces. A section left empty
// (all of its lines commented out, say) takes nothing away from a map below it.
void Overlay(ConfigNode& base, const ConfigNode& top);

// Sets the value at a dotted path such as training.schedule.peak_rate or data.train.0.source,
// making sections on the way; a number picks an item of an existing list. A map merges as in
// Overlay. Reports a path that leads nowhere to `problems`.
void SetAtPath(ConfigNode& root, const std::string& path, const ConfigNode& value,
               ProblemList& problems);

}  // namespace heed
