#include "config/initial_model.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "config/yaml_tree.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "model.initialise_from";

const ConfigNode* FindValue(const ConfigNode& section, std::string_view key) {
  const ConfigNode::Entry* entry = section.Find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

// A section that both recipes must have as a map; a tree with anything else there is reported
// later.
ConfigNode SectionOf(const ConfigNode& tree, std::string_view key) {
  const ConfigNode* section = FindValue(tree, key);
  return section == nullptr ? ConfigNode::Map(tree.where) : *section;
}

void Remove(ConfigNode& section, std::string_view key) {
  std::erase_if(section.entries, [&](const auto& entry) { return entry.key == key; });
}

void SetText(ConfigNode& section, const std::string& key, const std::string& text) {
  Remove(section, key);
  section.entries.push_back(
      {.key = key, .where = section.where, .value = ConfigNode::Scalar(text, true, section.where)});
}

// Where checkpoint/model_directory.h finds the model too; links stay links, because checkpoints of
// a run come and go.
std::optional<fs::path> FindDirectory(const fs::path& model) {
  std::error_code error;
  for (const fs::path& directory : {model, model / "best", model / "last"}) {
    if (fs::exists(directory / "recipe.yaml", error)) return directory;
  }
  return std::nullopt;
}

void InheritModel(const ConfigNode& theirs, ConfigNode& tree, ProblemList& problems) {
  ConfigNode model = SectionOf(theirs, "model");
  Overlay(model, SectionOf(tree, "model"));
  SetAtPath(tree, "model", model, problems);
}

bool NamesVocabularies(const ConfigNode& vocabulary) {
  return vocabulary.Find("model") != nullptr || vocabulary.Find("source_model") != nullptr ||
         vocabulary.Find("target_model") != nullptr;
}

// Sampling and new symbols are matters of training, the rest is as the files are.
void InheritVocabulary(const ConfigNode& theirs, const fs::path& directory, ConfigNode& tree,
                       ProblemList& problems) {
  if (NamesVocabularies(SectionOf(tree, "vocabulary"))) return;
  ConfigNode vocabulary = SectionOf(theirs, "vocabulary");
  Remove(vocabulary, "sampling");
  Remove(vocabulary, "user_symbols");
  const ConfigNode* joint = FindValue(vocabulary, "joint");
  if (joint == nullptr || joint->text == "true") {
    SetText(vocabulary, "model", directory / "vocabulary.model");
  } else {
    SetText(vocabulary, "source_model", directory / "vocabulary.source.model");
    SetText(vocabulary, "target_model", directory / "vocabulary.target.model");
  }
  SetAtPath(tree, "vocabulary", vocabulary, problems);
}

}  // namespace

void InheritFromInitialModel(ConfigNode& tree, ProblemList& problems) {
  const ConfigNode section = SectionOf(tree, "model");
  const ConfigNode* path = FindValue(section, "initialise_from");
  if (path == nullptr || path->kind != ConfigNode::Kind::kScalar || path->text.empty()) return;
  const std::optional<fs::path> directory = FindDirectory(path->text);
  if (!directory) {
    problems.Add(path->where,
                 fmt::format("'{}' is '{}', which holds no model; name a run directory, a "
                             "checkpoint in it, or what 'heed import' wrote",
                             kKey, path->text));
    return;
  }
  const std::string recipe = *directory / "recipe.yaml";
  const std::optional<ConfigNode> theirs = ParseYaml(ReadRecipeText(recipe), recipe, problems);
  if (!theirs || theirs->kind != ConfigNode::Kind::kMap) return;
  InheritModel(*theirs, tree, problems);
  InheritVocabulary(*theirs, *directory, tree, problems);
}

}  // namespace heed
