#include "config/recipe_help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "config/constraint_check.h"
#include "config/field_types.h"
#include "config/key_index.h"
#include "config/recipe.h"
#include "config/text_wrap.h"
#include "util/check.h"

namespace heed {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kTextColumn = 34;

constexpr std::string_view kIntroduction =
    R"(A recipe is a YAML file of the sections below; what it leaves out has the default shown. Paths of
data are relative to the folder in which heed is started, those of 'include' to the recipe. 'null'
stands for a value that is not set. A list of one may be written as the value itself. On the
command line, --set training.batch_tokens=2048 (or data.train.0.weight=2) wins over the files.
Unknown keys, wrong types and values out of range are errors.

)";

// Appends the entry of each field whose path lies at, above or below `wanted`.
class FieldDocumenter {
 public:
  FieldDocumenter(std::string path, const std::string& wanted, std::string& text)
      : path_(std::move(path)), wanted_(wanted), text_(text) {}

  template <class Value, class... Constraints>
  void operator()(const char* key, Value& field, const char* meaning,
                  const Constraints&... constraints) {
    const std::string path = path_.empty() ? key : path_ + '.' + key;
    if (!IsWanted(path)) return;
    std::string requirements;
    (AddRequirement(constraints, requirements), ...);
    const bool is_required = !(AcceptsField(constraints, field) && ...);
    if constexpr (SectionField<Value>) {
      WriteEntry(fmt::format("{}:", key), meaning, "");
      WriteSection(field, path);
    } else {
      WriteEntry(fmt::format("{}: {}", key, is_required ? "(required)" : FormatDefault(field)),
                 meaning, fmt::format("[{}{}]", FieldTypeName<Value>(), requirements));
      WriteItems(field, path);
    }
  }

 private:
  bool IsWanted(const std::string& path) const {
    return wanted_.empty() || path == wanted_ || path.starts_with(wanted_ + '.') ||
           wanted_.starts_with(path + '.');
  }

  template <class Constraint>
  static void AddRequirement(const Constraint& constraint, std::string& requirements) {
    const std::string requirement = constraint.Requirement();
    if (!requirement.empty()) requirements += ", " + requirement;
  }

  template <class Value>
  static std::string FormatDefault(const Value& value) {
    if constexpr (SectionListField<Value>) {
      return "[]";
    } else {
      return FormatField(value);
    }
  }

  // The keys of an item, if the field is a list of sections.
  template <class Value>
  void WriteItems(const Value& /*field*/, const std::string& path) {
    if constexpr (SectionListField<Value>) {
      typename Value::value_type item;
      WriteSection(item, path, "- ");
    }
  }

  // `bullet` stands before the first key of a list item.
  template <class Section>
  void WriteSection(Section& section, const std::string& path, const char* bullet = "") {
    FieldDocumenter below(path, wanted_, text_);
    below.depth_ = depth_ + 1;
    below.bullet_ = bullet;
    section.VisitFields(below);
  }

  // "  key: default               meaning, wrapped [type, range]".
  void WriteEntry(const std::string& key_and_default, const char* meaning,
                  const std::string& type) {
    if (depth_ == 0 && !text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
    std::string head = std::string(2 * depth_, ' ') + bullet_ + key_and_default;
    if (!bullet_.empty()) {  // the other keys of the item stand below the first
      bullet_.clear();
      ++depth_;
    }
    for (const std::string& line : DescriptionLines(meaning, type)) {
      if (head.size() + 2 > kTextColumn) {
        text_ += head + '\n';
        head.clear();
      }
      head.resize(kTextColumn, ' ');
      text_ += head + line + '\n';
      head.clear();
    }
  }

  // The type joins the last line of the meaning if it fits.
  static std::vector<std::string> DescriptionLines(const char* meaning, const std::string& type) {
    constexpr size_t kTextWidth = kWidth - kTextColumn;
    std::vector<std::string> lines = WrapText(meaning, kTextWidth);
    if (type.empty()) return lines;
    if (lines.back().size() + 1 + type.size() <= kTextWidth) {
      lines.back() += ' ' + type;
      return lines;
    }
    for (std::string& line : WrapText(type, kTextWidth)) lines.push_back(std::move(line));
    return lines;
  }

  std::string path_;
  const std::string& wanted_;
  std::string& text_;
  size_t depth_ = 0;
  std::string bullet_;
};

}  // namespace

std::string RecipeHelp(const std::string& path) {
  std::vector<std::string> paths = KeyIndex().paths();
  for (std::string& known : paths) {  // "data.train[].weight" is asked for as data.train.weight
    const size_t brackets = known.find("[]");
    if (brackets != std::string::npos) known.erase(brackets, 2);
  }
  if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end()) {
    const std::string nearest = NearestWord(path, paths);
    ThrowUserError("no recipe key '{}'{}", path,
                   nearest.empty() ? "; 'heed help recipe' lists them all"
                                   : fmt::format("; did you mean '{}'?", nearest));
  }
  std::string text;
  if (path.empty()) text = kIntroduction;
  Recipe recipe;
  FieldDocumenter documenter("", path, text);
  recipe.VisitFields(documenter);
  return text;
}

}  // namespace heed
