#include "checkpoint/run_state.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "util/check.h"
#include "util/json_file.h"

namespace heed {
namespace {

using nlohmann::ordered_json;

template <class T>
concept HasFields = std::is_same_v<T, RunState> || std::is_same_v<T, ValidationRecord> ||
    std::is_same_v<T, DataSegmentRecord> || std::is_same_v<T, BestMetric>;

// ---- writing: one overload per kind of field ----

template <HasFields T>
ordered_json ToJson(T& fields);

ordered_json ToJson(const double& value) {
  return NumberToJson(value);
}

template <class T>
requires std::is_integral_v<T> || std::is_same_v<T, std::string> ordered_json
ToJson(const T& value) {
  return value;
}

template <class T>
ordered_json ToJson(std::map<std::string, T>& map) {
  ordered_json object = ordered_json::object();
  for (auto& [key, value] : map) object[key] = ToJson(value);
  return object;
}

template <class T>
ordered_json ToJson(std::vector<T>& list) {
  ordered_json array = ordered_json::array();
  for (T& value : list) array.push_back(ToJson(value));
  return array;
}

template <HasFields T>
ordered_json ToJson(T& fields) {
  ordered_json object;
  const auto visit = [&object](const char* key, auto& field) { object[key] = ToJson(field); };
  fields.VisitFields(visit);
  return object;
}

// ---- reading ----

// What is wrong at a key; the reader adds the file's name.
class StateFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using nlohmann::json;

template <HasFields T>
void FromJson(const json& object, T& fields);

void FromJson(const json& value, double& field) {
  field = NumberFromJson(value);
}

template <class T>
requires std::is_integral_v<T> || std::is_same_v<T, std::string>
void FromJson(const json& value, T& field) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const bool too_large = value.is_number_unsigned() && std::is_signed_v<T> &&
                           value.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()};
    const bool negative = value.is_number_integer() && !value.is_number_unsigned();
    if (!value.is_number_integer() || too_large || (negative && std::is_unsigned_v<T>)) {
      throw StateFault("not an integer that fits");
    }
  }
  field = value.get<T>();
}

template <class T>
void FromJson(const json& object, std::map<std::string, T>& map) {
  if (!object.is_object()) throw StateFault("not an object");
  for (const auto& [key, value] : object.items()) FromJson(value, map[key]);
}

template <class T>
void FromJson(const json& array, std::vector<T>& list) {
  if (!array.is_array()) throw StateFault("not a list");
  for (const json& value : array) FromJson(value, list.emplace_back());
}

template <HasFields T>
void FromJson(const json& object, T& fields) {
  if (!object.is_object()) throw StateFault("not an object");
  size_t known = 0;
  const auto visit = [&](const char* key, auto& field) {
    ++known;
    try {
      FromJson(object.at(key), field);
    } catch (const std::exception& error) {
      throw StateFault(fmt::format("'{}': {}", key, error.what()));
    }
  };
  fields.VisitFields(visit);
  if (object.size() != known) throw StateFault("it has keys that this version does not know");
}

// Format 1 had four keys that nothing ever set, and no fine-tuning.
void Modernise(json* object) {
  if (object->value("format", json()) != 1) return;
  for (const char* unused : {"logged_loss", "logged_tokens", "finished", "versions"}) {
    object->erase(unused);
  }
  object->emplace("optimizer_start", 0);
  (*object)["format"] = RunState::kFormat;
}

}  // namespace

std::string RunStateToJson(const RunState& state) {
  RunState copy = state;  // VisitFields hands out references that could be written to
  constexpr int kIndent = 1;
  return ToJson(copy).dump(kIndent) + "\n";
}

RunState ReadRunState(const std::filesystem::path& path) {
  json object = ReadJsonFile(path);
  RunState state;
  const json format = object.is_object() ? object.value("format", json()) : json();
  if (format.is_number_integer() && format > RunState::kFormat) {
    ThrowUserError("{} was written by a later version of Heed; use that version", path.string());
  }
  if (object.is_object()) Modernise(&object);
  try {
    FromJson(object, state);
  } catch (const StateFault& fault) {
    ThrowUserError("{} is not a complete run state: {}", path.string(), fault.what());
  }
  return state;
}

}  // namespace heed
