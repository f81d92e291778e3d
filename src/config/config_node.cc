#include "config/config_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace heed {

ConfigNode ConfigNode::Null(SourcePosition where) {
  ConfigNode node;
  node.where = std::move(where);
  return node;
}

ConfigNode ConfigNode::Scalar(std::string text, bool quoted, SourcePosition where) {
  ConfigNode node = Null(std::move(where));
  node.kind = Kind::kScalar;
  node.text = std::move(text);
  node.quoted = quoted;
  return node;
}

ConfigNode ConfigNode::List(SourcePosition where) {
  ConfigNode node = Null(std::move(where));
  node.kind = Kind::kList;
  return node;
}

ConfigNode ConfigNode::Map(SourcePosition where) {
  ConfigNode node = Null(std::move(where));
  node.kind = Kind::kMap;
  return node;
}

const ConfigNode::Entry* ConfigNode::Find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

ConfigNode::Entry* ConfigNode::Find(std::string_view key) {
  return const_cast<Entry*>(std::as_const(*this).Find(key));
}

std::string ConfigNode::Describe() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return fmt::format("{}", text.size() <= 60 ? '\'' + text + '\'' : "a long text");
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a section";
  }
  return "nothing";
}

void Overlay(ConfigNode& base, const ConfigNode& top) {
  if (base.kind == ConfigNode::Kind::kMap && top.kind == ConfigNode::Kind::kNull) return;
  if (base.kind != ConfigNode::Kind::kMap || top.kind != ConfigNode::Kind::kMap) {
    base = top;
    return;
  }
  for (const ConfigNode::Entry& entry : top.entries) {
    if (ConfigNode::Entry* below = base.Find(entry.key)) {
      below->where = entry.where;
      Overlay(below->value, entry.value);
    } else {
      base.entries.push_back(entry);
    }
  }
}

namespace {

// The item of `list` that `name` picks, or nullptr.
ConfigNode* PickItem(ConfigNode& list, const std::string& name) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  const bool is_index = error == std::errc() && end == name.data() + name.size();
  return is_index && index < list.items.size() ? &list.items[index] : nullptr;
}

// The value under `name` in `section`, which becomes a map if it was nothing.
ConfigNode& MakeEntry(ConfigNode& section, const std::string& name, const SourcePosition& where) {
  if (section.kind != ConfigNode::Kind::kMap) section = ConfigNode::Map(where);
  ConfigNode::Entry* entry = section.Find(name);
  if (entry == nullptr) {
    section.entries.push_back({name, where, ConfigNode::Null(where)});
    entry = &section.entries.back();
  }
  entry->where = where;
  return entry->value;
}

}  // namespace

void SetAtPath(ConfigNode& root, const std::string& path, const ConfigNode& value,
               ProblemList& problems) {
  ConfigNode* node = &root;
  for (size_t start = 0; start <= path.size();) {
    const size_t end = std::min(path.find('.', start), path.size());
    const std::string name = path.substr(start, end - start);
    const std::string above = path.substr(0, start == 0 ? 0 : start - 1);
    start = end + 1;
    if (name.empty()) {
      problems.Add(value.where, fmt::format("'{}' is not a path of keys joined by dots", path));
      return;
    }
    if (node->kind == ConfigNode::Kind::kScalar) {
      problems.Add(value.where, fmt::format("'{}' is {}; '{}' cannot be set below it", above,
                                            node->Describe(), name));
      return;
    }
    if (node->kind == ConfigNode::Kind::kList) {
      const size_t num_items = node->items.size();
      node = PickItem(*node, name);
      if (node == nullptr) {
        problems.Add(value.where,
                     fmt::format("'{}' is a list of {}; '{}' is not one of its numbers "
                                 "from 0",
                                 above, num_items, name));
        return;
      }
      continue;
    }
    if (name == "0" && !node->entries.empty()) continue;  // a list of one, written as its item
    node = &MakeEntry(*node, name, value.where);
  }
  Overlay(*node, value);
}

}  // namespace heed
