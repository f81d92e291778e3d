// YAML text to ConfigNode: the only place that knows yaml-cpp.
//
// Anchors, aliases and merge keys (<<) work. Refused, with their place: duplicate keys, tags other
// than YAML's own, several documents, control characters, bytes that are not UTF-8, files above
// 1 MiB, and aliases that multiply into more than 20,000 values.
#pragma once

#include <optional>
#include <string>

#include "config/config_node.h"
#include "config/problems.h"

namespace heed {

// Parses `text`; `source` names it in positions. Faults that leave the rest readable, such as
// duplicate keys, are added to `problems`; so is a syntax error, and nothing is returned then. A
// text without content is a null node.
std::optional<ConfigNode> ParseYaml(const std::string& text, const std::string& source,
                                    ProblemList& problems);

// The bytes of a recipe file. Throws UserError if it is missing, a folder, unreadable or too large.
std::string ReadRecipeText(const std::string& path);

}  // namespace heed
