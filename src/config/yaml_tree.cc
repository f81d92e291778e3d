#include "config/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "config/text_check.h"
#include "util/check.h"

namespace heed {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr size_t kMostNodes = 20'000;

size_t CountNodes(const ConfigNode& node) {
  size_t count = 1;
  for (const ConfigNode& item : node.items) count += CountNodes(item);
  for (const ConfigNode::Entry& entry : node.entries) count += CountNodes(entry.value);
  return count;
}

// A fault that ends parsing; never leaves this file.
struct Fault {
  SourcePosition where;
  std::string message;
};

// Builds the tree from yaml-cpp's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& source, ProblemList& problems)
      : text_(text), source_(source), problems_(problems) {}

  ConfigNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // yaml-cpp marks an absent value at the next token; the key is where the reader should look.
    const bool has_key = !open_.empty() && open_.back().has_key;
    Finish(ConfigNode::Null(has_key ? open_.back().key_where : Place(mark)), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const SourcePosition where = Place(mark);
    const bool is_plain = tag.empty() || tag == "?";
    if (!is_plain) CheckTag(tag, where);
    if (!QuoteIsClosed(text_, static_cast<size_t>(mark.pos))) {
      Fail(where, "the quote that opens here is never closed");
    }
    if (is_plain &&
        (value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL")) {
      Finish(ConfigNode::Null(where), anchor);
      return;
    }
    const bool is_text = tag == "!" || tag == "tag:yaml.org,2002:str";
    Finish(ConfigNode::Scalar(value, is_text, where), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) Fail(Place(mark), "this alias stands inside its own anchor");
    ConfigNode copy = found->second;
    copy.where = Place(mark);
    num_nodes_ += CountNodes(copy) - 1;
    Finish(std::move(copy), 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(ConfigNode::Kind::kList, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(ConfigNode::Kind::kMap, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapEnd() override { Close(); }

 private:
  // A list or map whose end has not come yet.
  struct OpenNode {
    ConfigNode node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  // a map whose next node is a value
    bool key_is_merge = false;
    std::string key;
    SourcePosition key_where;
    std::map<std::string, int> lines_of_keys;
    std::vector<ConfigNode> merged;  // values of '<<'
  };

  SourcePosition Place(const YAML::Mark& mark) const {
    return {source_, mark.line + 1, mark.column + 1};
  }

  [[noreturn]] static void Fail(const SourcePosition& where, const std::string& message) {
    throw Fault{where, message};
  }

  static void CheckTag(const std::string& tag, const SourcePosition& where) {
    if (tag == "!" || tag == "?" || tag.empty() || tag.starts_with("tag:yaml.org,2002:")) return;
    Fail(where, fmt::format("the tag '{}' means nothing in a recipe; remove it", tag));
  }

  void Open(ConfigNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    CheckTag(tag, Place(mark));
    if (!open_.empty() && open_.back().node.kind == ConfigNode::Kind::kMap &&
        !open_.back().has_key) {
      Fail(Place(mark), "a key must be a word, not a list or section; is a bracket left open?");
    }
    OpenNode& opened = open_.emplace_back();
    opened.node = kind == ConfigNode::Kind::kMap ? ConfigNode::Map(Place(mark))
                                                 : ConfigNode::List(Place(mark));
    opened.anchor = anchor;
  }

  void Close() {
    OpenNode closed = std::move(open_.back());
    open_.pop_back();
    for (const ConfigNode& source : closed.merged) Merge(source, closed.node);
    Finish(std::move(closed.node), closed.anchor);
  }

  // Adds the keys of the map `source`, or of each map in the list `source`, that `map` lacks.
  static void Merge(const ConfigNode& source, ConfigNode& map) {
    if (source.kind == ConfigNode::Kind::kList) {
      for (const ConfigNode& item : source.items) Merge(item, map);
      return;
    }
    if (source.kind != ConfigNode::Kind::kMap) {
      Fail(source.where, "'<<' merges a section (<<: *anchor) or a list of sections");
    }
    for (const ConfigNode::Entry& entry : source.entries) {
      if (map.Find(entry.key) == nullptr) map.entries.push_back(entry);
    }
  }

  // Puts a complete node where it belongs.
  void Finish(ConfigNode node, YAML::anchor_t anchor) {
    if (++num_nodes_ > kMostNodes) {
      Fail(node.where, fmt::format("more than {} values; is this a recipe?", kMostNodes));
    }
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == ConfigNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      TakeKey(parent, node);
    } else {
      TakeValue(parent, std::move(node));
    }
  }

  static void TakeKey(OpenNode& parent, const ConfigNode& node) {
    if (node.kind != ConfigNode::Kind::kScalar) {
      Fail(node.where, fmt::format("a key must be a word, not {}", node.Describe()));
    }
    parent.has_key = true;
    parent.key = node.text;
    parent.key_where = node.where;
    parent.key_is_merge = node.text == "<<" && !node.quoted;
  }

  void TakeValue(OpenNode& parent, ConfigNode node) {
    parent.has_key = false;
    if (parent.key_is_merge) {
      parent.merged.push_back(std::move(node));
      return;
    }
    const auto [first, is_first] =
        parent.lines_of_keys.try_emplace(parent.key, parent.key_where.line);
    if (!is_first) {
      problems_.Add(parent.key_where,
                    fmt::format("key '{}' is given twice {}; it stands in line {} already",
                                parent.key, WhereOpen(), first->second));
      return;
    }
    parent.node.entries.push_back({parent.key, parent.key_where, std::move(node)});
  }

  // "in 'data.train[0]'": the section being read.
  std::string WhereOpen() const {
    std::string path;
    for (size_t i = 0; i + 1 < open_.size(); ++i) {
      if (open_[i].node.kind == ConfigNode::Kind::kList) {
        path += fmt::format("[{}]", open_[i].node.items.size());
      } else {
        path += (path.empty() ? "" : ".") + open_[i].key;
      }
    }
    return path.empty() ? "at the top level" : fmt::format("in '{}'", path);
  }

  std::string_view text_;
  const std::string& source_;
  ProblemList& problems_;
  ConfigNode root_;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, ConfigNode> anchors_;
  size_t num_nodes_ = 0;
};

// yaml-cpp's message, with a hint if a tab is the likely reason.
std::string SyntaxMessage(const YAML::Exception& error, const std::string& text) {
  for (int line = error.mark.line; line >= 0 && line >= error.mark.line - 1; --line) {
    const std::string_view content = LineOf(text, line + 1);
    const std::string_view indent = content.substr(0, content.find_first_not_of(" \t"));
    if (indent.find('\t') != std::string_view::npos) {
      return fmt::format("line {} is indented with a tab; YAML allows only spaces there", line + 1);
    }
  }
  return fmt::format("not valid YAML: {}", error.msg);
}

// The first line, from 1, that begins with `first`; 0 if there is none.
int LineStartingWith(std::string_view text, char first) {
  int line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == first && (i == 0 || text[i - 1] == '\n')) return line;
    if (text[i] == '\n') ++line;
  }
  return 0;
}

}  // namespace

std::optional<ConfigNode> ParseYaml(const std::string& text, const std::string& source,
                                    ProblemList& problems) {
  const std::string_view body = WithoutByteOrderMark(text);
  if (const auto fault = FindBadCharacter(body)) {
    problems.Add({source, fault->line, fault->column}, fault->message);
    return std::nullopt;
  }
  if (const int line = LineStartingWith(body, '%'); line > 0) {
    problems.Add({source, line, 1},
                 "a line that begins with '%' is a YAML directive, not a key; remove or quote it");
    return std::nullopt;
  }
  TreeBuilder builder(body, source, problems);
  try {
    std::istringstream stream{std::string(body)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return ConfigNode::Null({source});
    ConfigNode root = builder.TakeRoot();
    TreeBuilder rest(body, source, problems);
    if (parser.HandleNextDocument(rest)) {
      problems.Add(rest.TakeRoot().where, "a second document begins here; a recipe is one");
    }
    return root;
  } catch (const YAML::Exception& error) {
    problems.Add({source, error.mark.line + 1, error.mark.column + 1},
                 SyntaxMessage(error, std::string(body)));
  } catch (const Fault& fault) {
    problems.Add(fault.where, fault.message);
  }
  return std::nullopt;
}

std::string ReadRecipeText(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    ThrowUserError("{}: no such file; recipe paths are relative to the folder you are in", path);
  }
  if (std::filesystem::is_directory(path, error)) {
    ThrowUserError("{}: this is a folder; name the recipe file in it", path);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open()) {
    ThrowUserError("{}: cannot be read: {}", path, std::strerror(errno));
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostBytes) ThrowUserError("{}: above 1 MiB; is this a recipe?", path);
  return text;
}

}  // namespace heed
