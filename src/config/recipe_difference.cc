#include "config/recipe_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/constraint_check.h"
#include "config/field_types.h"

namespace heed {
namespace {

struct FlatField {
  std::string path;
  std::string value;
};

// Collects every field that is not a section, by path, in order.
class FieldFlattener {
 public:
  FieldFlattener(std::string path, std::vector<FlatField>& fields)
      : path_(std::move(path)), fields_(fields) {}

  template <class Value, class... Constraints>
  void operator()(const char* key, Value& field, const char* /*meaning*/, const Constraints&...) {
    if constexpr ((std::is_same_v<Constraints, ForReaderOnly> || ...)) return;
    const std::string path = path_.empty() ? key : path_ + '.' + key;
    if constexpr (SectionField<Value>) {
      FlattenSection(field, path);
    } else if constexpr (ListField<Value>) {
      FlattenList(field, path);
    } else {
      fields_.push_back({path, FormatField(field)});
    }
  }

 private:
  template <class Section>
  void FlattenSection(Section& section, const std::string& path) {
    FieldFlattener below(path, fields_);
    section.VisitFields(below);
  }

  template <class List>
  void FlattenList(List& list, const std::string& path) {
    if constexpr (SectionListField<List>) {
      for (size_t i = 0; i < list.size(); ++i) {
        FlattenSection(list[i], fmt::format("{}[{}]", path, i));
      }
    } else {
      fields_.push_back({path, FormatField(list)});
    }
  }

  std::string path_;
  std::vector<FlatField>& fields_;
};

std::vector<FlatField> Flatten(Recipe recipe) {
  std::vector<FlatField> fields;
  FieldFlattener flattener("", fields);
  recipe.VisitFields(flattener);
  return fields;
}

}  // namespace

std::vector<std::string> DescribeDifferences(const Recipe& a, const Recipe& b) {
  const std::vector<FlatField> left = Flatten(a);
  const std::vector<FlatField> right = Flatten(b);
  const auto has = [](const std::vector<FlatField>& fields, const std::string& path) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const FlatField& field) { return field.path == path; });
  };
  std::vector<std::string> lines;
  size_t i = 0, j = 0;
  while (i < left.size() || j < right.size()) {
    if (i < left.size() && !has(right, left[i].path)) {
      lines.push_back(fmt::format("{}: {} -> absent", left[i].path, left[i].value));
      ++i;
    } else if (j < right.size() && !has(left, right[j].path)) {
      lines.push_back(fmt::format("{}: absent -> {}", right[j].path, right[j].value));
      ++j;
    } else {  // both lists hold the remaining common fields in the same order
      if (left[i].value != right[j].value) {
        lines.push_back(fmt::format("{}: {} -> {}", left[i].path, left[i].value, right[j].value));
      }
      ++i;
      ++j;
    }
  }
  return lines;
}

}  // namespace heed
