#include "export/model_config.h"

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

// Turns the field lists of the option structs into JSON objects.
class JsonVisitor {
 public:
  template <class Field, class... Constraints>
  void operator()(const char* key, Field& field, const char* /*meaning*/,
                  const Constraints&... /*constraints*/) {
    object_[key] = ToJson(field);
  }
  const Json& object() const { return object_; }

 private:
  template <class Field>
  static Json ToJson(Field& field) {
    if constexpr (std::is_enum_v<Field>) {
      return EnumToString(field);
    } else if constexpr (requires(JsonVisitor & visitor) { field.VisitFields(visitor); }) {
      JsonVisitor visitor;
      field.VisitFields(visitor);
      return visitor.object();
    } else if constexpr (requires { field.has_value(); }) {
      return field.has_value() ? ToJson(*field) : Json();
    } else {
      return field;
    }
  }

  Json object_ = Json::object();
};

}  // namespace

Json DescribeModel(const ModelSource& model, ElementType type) {
  ModelOptions options = model.options();
  JsonVisitor visitor;
  options.VisitFields(visitor);
  const Tokenizer& target = *model.vocabularies().target;
  return {{"format", "heed"},
          {"update", model.update()},
          {"weights", model.weights_file()},
          {"element_type", EnumToString(type)},
          {"source_language", model.recipe().data.source_language},
          {"target_language", model.recipe().data.target_language},
          {"source_vocabulary_size", model.shape().source_vocabulary},
          {"target_vocabulary_size", model.shape().target_vocabulary},
          {"source_end_id", model.vocabularies().source->eos_id()},
          {"target_end_id", target.eos_id()},
          {"target_begin_id", model.shape().begin_id},
          {"unknown_id", target.unk_id()},
          {"model", visitor.object()}};
}

}  // namespace heed
