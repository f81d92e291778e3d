#include "config/field_reader.h"

#include <vector>

namespace heed {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Why a number in quotes is not a number.
std::string QuoteHint(const ConfigNode& node) {
  return node.quoted ? " (the quotes make it text)" : "";
}

}  // namespace

void FieldReader::ReportUnknownKeys() const {
  for (const ConfigNode::Entry& entry : section_.entries) {
    if (known_keys_.contains(entry.key)) continue;
    context_.problems.Add(entry.where, context_.keys.ExplainUnknown(entry.key, path_));
  }
}

bool FieldReader::ReadScalar(const ConfigNode& node, bool& field, const std::string& path) {
  const auto value = node.kind == ConfigNode::Kind::kScalar && !node.quoted
                         ? ParseBoolean(node.text)
                         : std::nullopt;
  if (!value) return Refuse(node, path, "true or false");
  field = *value;
  return true;
}

bool FieldReader::ReadScalar(const ConfigNode& node, int64_t& field, const std::string& path) {
  const auto value = node.kind == ConfigNode::Kind::kScalar && !node.quoted
                         ? ParseInteger(node.text)
                         : std::nullopt;
  if (!value) return Refuse(node, path, "a whole number, in digits only");
  field = *value;
  return true;
}

bool FieldReader::ReadScalar(const ConfigNode& node, double& field, const std::string& path) {
  const auto value = node.kind == ConfigNode::Kind::kScalar && !node.quoted ? ParseNumber(node.text)
                                                                            : std::nullopt;
  if (!value) return Refuse(node, path, "a number");
  field = *value;
  return true;
}

bool FieldReader::ReadScalar(const ConfigNode& node, std::string& field, const std::string& path) {
  if (node.kind == ConfigNode::Kind::kNull) return Refuse(node, path, "text (quote it: \"\")");
  if (node.kind != ConfigNode::Kind::kScalar) return Refuse(node, path, "text");
  field = node.text;
  return true;
}

bool FieldReader::Refuse(const ConfigNode& node, const std::string& path,
                         const std::string& expected) {
  context_.problems.Add(node.where, fmt::format("'{}' must be {}, not {}{}", path, expected,
                                                node.Describe(), QuoteHint(node)));
  return false;
}

bool FieldReader::RefuseChoice(const ConfigNode& node, const std::string& path,
                               const std::string& choices) {
  const std::vector<std::string> names = Split(choices, '|');
  std::string message =
      fmt::format("'{}' must be {}{}, not {}", path, names.size() > 1 ? "one of " : "",
                  fmt::join(names, ", "), node.Describe());
  const std::string nearest = NearestWord(node.text, names);
  if (!nearest.empty()) message += fmt::format("; did you mean '{}'?", nearest);
  context_.problems.Add(node.where, std::move(message));
  return false;
}

}  // namespace heed
