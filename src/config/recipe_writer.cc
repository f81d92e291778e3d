#include "config/recipe_writer.h"

#include <fmt/format.h>

#include "config/constraint_check.h"
#include "config/field_types.h"
#include "config/text_wrap.h"

namespace heed {
namespace {

// Appends one line per field, each section's two columns further to the right.
class FieldWriter {
 public:
  FieldWriter(size_t indent, RecipeComments comments, std::string& text)
      : indent_(indent), comments_(comments), text_(text) {}

  template <class Value, class... Constraints>
  void operator()(const char* key, Value& field, const char* meaning, const Constraints&...) {
    if constexpr ((std::is_same_v<Constraints, ForReaderOnly> || ...)) return;
    if (comments_ == RecipeComments::kMeanings) WriteComment(meaning);
    text_ += fmt::format("{:{}}{}:", "", indent_, key);
    if constexpr (SectionField<Value>) {
      text_ += '\n';
      WriteSection(field, indent_ + 2);
    } else if constexpr (ListField<Value>) {
      WriteList(field);
    } else {
      text_ += ' ' + FormatField(field) + '\n';
    }
  }

 private:
  void WriteComment(const char* meaning) {
    constexpr size_t kCommentWidth = 100;
    if (indent_ == 0 && !text_.empty()) text_ += '\n';
    for (const std::string& line : WrapText(meaning, kCommentWidth - indent_ - 2)) {
      text_ += fmt::format("{:{}}# {}\n", "", indent_, line);
    }
  }

  template <class Section>
  void WriteSection(Section& section, size_t indent) {
    FieldWriter below(indent, comments_, text_);
    section.VisitFields(below);
  }

  template <class List>
  void WriteList(List& list) {
    if constexpr (SectionListField<List>) {
      if (list.empty()) text_ += " []";
      text_ += '\n';
      for (auto& item : list) {
        std::string item_text;
        FieldWriter below(indent_ + 4, RecipeComments::kNone, item_text);
        item.VisitFields(below);
        item_text[indent_ + 2] = '-';
        text_ += item_text;
      }
    } else {
      text_ += ' ' + FormatField(list) + '\n';
    }
  }

  size_t indent_;
  RecipeComments comments_;
  std::string& text_;
};

}  // namespace

std::string WriteRecipe(const Recipe& recipe, RecipeComments comments) {
  std::string text;
  Recipe copy = recipe;  // field lists visit mutable fields
  FieldWriter writer(0, comments, text);
  copy.VisitFields(writer);
  return text;
}

}  // namespace heed
