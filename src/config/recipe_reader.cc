#include "config/recipe_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "config/config_node.h"
#include "config/field_reader.h"
#include "config/initial_model.h"
#include "config/key_index.h"
#include "config/problems.h"
#include "config/validate.h"
#include "config/yaml_tree.h"
#include "util/check.h"

namespace heed {
namespace {

using Kind = ConfigNode::Kind;

std::string CanonicalPath(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

// Reads files and lays them over what they include.
class TreeLoader {
 public:
  explicit TreeLoader(ProblemList& problems) : problems_(problems) {}

  ConfigNode Load(const std::string& path) { return Expand(ReadRecipeText(path), path); }

  // The tree of `text`, a recipe at `path`, over the recipes it includes; a map without `include`.
  ConfigNode Expand(const std::string& text, const std::string& path) {
    ConfigNode base = ConfigNode::Map({path, 1, 1});
    std::optional<ConfigNode> own = ParseYaml(text, path, problems_);
    if (!own) return base;
    if (own->kind == Kind::kNull) {
      problems_.Add({path}, "this recipe is empty; 'heed help recipe' lists the keys");
      return base;
    }
    if (own->kind != Kind::kMap) {
      problems_.Add(own->where, "a recipe is 'key: value' lines; this is " + own->Describe());
      return base;
    }
    open_files_.push_back(CanonicalPath(path));
    for (const ConfigNode& name : TakeIncludedNames(*own)) {
      Overlay(base, LoadIncluded(name, path));
    }
    open_files_.pop_back();
    Overlay(base, *own);
    return base;
  }

 private:
  // Removes `include` from `recipe` and returns the file names it holds.
  std::vector<ConfigNode> TakeIncludedNames(ConfigNode& recipe) {
    std::vector<ConfigNode> names;
    const ConfigNode::Entry* include = recipe.Find("include");
    if (include == nullptr) return names;
    const bool is_list = include->value.kind == Kind::kList;
    names = is_list ? include->value.items : std::vector{include->value};
    std::erase_if(names, [&](const ConfigNode& name) {
      if (name.kind == Kind::kScalar) return false;
      problems_.Add(name.where,
                    "'include' must be a list of recipe files; this is " + name.Describe());
      return true;
    });
    std::erase_if(recipe.entries, [](const auto& entry) { return entry.key == "include"; });
    return names;
  }

  ConfigNode LoadIncluded(const ConfigNode& name, const std::string& includer) {
    const std::string path =
        (std::filesystem::path(includer).parent_path() / name.text).lexically_normal().string();
    const std::string canonical = CanonicalPath(path);
    if (std::find(open_files_.begin(), open_files_.end(), canonical) != open_files_.end()) {
      problems_.Add(name.where, fmt::format("'{}' includes itself, by way of this line", path));
      return ConfigNode::Map(name.where);
    }
    try {
      return Load(path);
    } catch (const UserError& error) {
      problems_.Add(name.where, fmt::format("cannot include {}", error.what()));
    }
    return ConfigNode::Map(name.where);
  }

  ProblemList& problems_;
  std::vector<std::string> open_files_;  // those that are being expanded, outermost first
};

void PlaceOnCommandLine(ConfigNode& node) {
  node.where = {"command line"};
  for (ConfigNode& item : node.items) PlaceOnCommandLine(item);
  for (ConfigNode::Entry& entry : node.entries) {
    entry.where = {"command line"};
    PlaceOnCommandLine(entry.value);
  }
}

void ApplySettings(const std::vector<std::string>& settings, ConfigNode& tree,
                   ProblemList& problems) {
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      problems.Add({"command line"},
                   fmt::format("'{}' is not a setting; write key.path=value", setting));
      continue;
    }
    const std::string path = setting.substr(0, equals);
    std::optional<ConfigNode> value =
        ParseYaml(setting.substr(equals + 1), fmt::format("command line, {}", path), problems);
    if (!value) continue;
    PlaceOnCommandLine(*value);
    if (path == "include" || path.starts_with("include.")) {
      problems.Add(value->where, "'include' works in files only");
      continue;
    }
    SetAtPath(tree, path, *value, problems);
  }
}

// What a key that was not given takes from others.
void FillDerivedDefaults(const std::string& source, Recipe& recipe) {
  if (recipe.name.empty()) recipe.name = std::filesystem::path(source).stem().string();
  if (recipe.output.empty()) recipe.output = "runs/" + recipe.name;
  ScheduleOptions& schedule = recipe.training.schedule;
  const bool needs_end =
      schedule.kind == ScheduleKind::kLinear || schedule.kind == ScheduleKind::kCosine;
  if (needs_end && !schedule.total_updates) {
    schedule.total_updates = recipe.training.stop.updates;
  }
}

Recipe ReadTree(const ConfigNode& tree, const std::string& source, ProblemList& problems) {
  const KeyIndex keys;
  KeyPositions positions;
  Recipe recipe;
  FieldReader reader(tree, "", {keys, problems, positions});
  recipe.VisitFields(reader);
  reader.ReportUnknownKeys();
  problems.ThrowIfAny();  // rules between fields would mislead about fields that were not read

  FillDerivedDefaults(source, recipe);
  Validate(recipe, positions, source);
  return recipe;
}

}  // namespace

Recipe LoadRecipe(const std::string& path, const std::vector<std::string>& settings) {
  ProblemList problems;
  ConfigNode tree = TreeLoader(problems).Load(path);
  ApplySettings(settings, tree, problems);
  InheritFromInitialModel(tree, problems);
  return ReadTree(tree, path, problems);
}

Recipe ParseRecipe(const std::string& text, const std::string& source,
                   const std::vector<std::string>& settings) {
  ProblemList problems;
  ConfigNode tree = TreeLoader(problems).Expand(text, source);
  ApplySettings(settings, tree, problems);
  return ReadTree(tree, source, problems);
}

}  // namespace heed
