#include "export/ctranslate2_reader.h"

#include <cstring>
#include <utility>

#include "tensor/half_precision.h"
#include "util/check.h"

namespace heed {
namespace {

template <class T>
T Load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

float LoadFloat(const std::byte* data, Ctranslate2Type type) {
  switch (type) {
    case Ctranslate2Type::kFloat32:
      return Load<float>(data);
    case Ctranslate2Type::kInt8:
      return static_cast<float>(Load<int8_t>(data));
    case Ctranslate2Type::kInt16:
      return static_cast<float>(Load<int16_t>(data));
    case Ctranslate2Type::kInt32:
      return static_cast<float>(Load<int32_t>(data));
    case Ctranslate2Type::kFloat16:
      return FromFloat16(Load<uint16_t>(data));
    case Ctranslate2Type::kBfloat16:
      return FromBfloat16(Load<uint16_t>(data));
  }
  HEED_CHECK(false, "element type {}", static_cast<int>(type));
  return 0;
}

std::string NextString(FileCursor& cursor) {
  return cursor.NextName(cursor.Next<uint16_t>());
}

}  // namespace

Ctranslate2Reader::Ctranslate2Reader(const std::filesystem::path& path) : file_(path) {
  FileCursor cursor(file_, "a CTranslate2 model");
  const int64_t version = cursor.Next<uint32_t>();
  if (version != kCtranslate2Version) {
    ThrowUserError(
        "{} has binary version {}; Heed reads version {}, which CTranslate2 has written since 3.0",
        path.string(), version, kCtranslate2Version);
  }
  const std::string spec = NextString(cursor);
  const int64_t revision = cursor.Next<uint32_t>();
  if (spec != kCtranslate2Spec || revision > kCtranslate2Revision) {
    ThrowUserError("{} holds a {} of revision {}; Heed reads {} up to revision {}", path.string(),
                   spec, revision, kCtranslate2Spec, kCtranslate2Revision);
  }
  for (int64_t left = cursor.Next<uint32_t>(); left > 0; --left) {
    Variable variable = ReadVariable(cursor);
    const std::string name = variable.name;
    if (!variables_.emplace(name, std::move(variable)).second) {
      cursor.Fail(fmt::format("'{}' is given twice", name));
    }
  }
  ReadAliases(cursor);
  if (cursor.remaining() != 0) {
    cursor.Fail(fmt::format("{} bytes follow its end", cursor.remaining()));
  }
}

Ctranslate2Reader::Variable Ctranslate2Reader::ReadVariable(FileCursor& cursor) const {
  Variable variable;
  variable.name = NextString(cursor);
  int64_t elements = 1;
  for (int64_t axes = cursor.Next<uint8_t>(); axes > 0; --axes) {
    variable.shape.push_back(cursor.Next<uint32_t>());
    if (__builtin_mul_overflow(elements, variable.shape.back(), &elements)) {
      cursor.Fail(fmt::format("the shape of '{}' overflows", variable.name));
    }
  }
  variable.type = static_cast<Ctranslate2Type>(cursor.Next<uint8_t>());
  const int64_t bytes = cursor.Next<uint32_t>();
  const int64_t size = SizeOf(variable.type);
  if (size == 0) {
    cursor.Fail(fmt::format("'{}' has the unknown type {}", variable.name,
                            static_cast<int>(variable.type)));
  }
  if (bytes % size != 0 || bytes / size != elements) {
    cursor.Fail(fmt::format("'{}' has {} bytes for {} elements of {}", variable.name, bytes,
                            elements, size));
  }
  variable.data = cursor.Skip(bytes);
  return variable;
}

void Ctranslate2Reader::ReadAliases(FileCursor& cursor) {
  for (int64_t left = cursor.Next<uint32_t>(); left > 0; --left) {
    const std::string alias = NextString(cursor);
    const std::string name = NextString(cursor);
    if (variables_.find(name) == variables_.end()) {
      cursor.Fail(fmt::format("'{}' stands for '{}', which is absent", alias, name));
    }
    if (variables_.contains(alias) || !aliases_.emplace(alias, name).second) {
      cursor.Fail(fmt::format("'{}' is given twice", alias));
    }
  }
}

const Ctranslate2Reader::Variable* Ctranslate2Reader::Find(std::string_view name) const {
  const auto alias = aliases_.find(name);
  const auto found = variables_.find(alias == aliases_.end() ? name : alias->second);
  return found == variables_.end() ? nullptr : &found->second;
}

std::vector<std::string> Ctranslate2Reader::Names() const {
  std::vector<std::string> names;
  names.reserve(variables_.size());
  for (const auto& [name, variable] : variables_) names.push_back(name);
  return names;
}

bool Ctranslate2Reader::IsScalar(std::string_view name) const {
  const Variable* variable = Find(name);
  return variable != nullptr && variable->shape.empty();
}

std::optional<double> Ctranslate2Reader::Scalar(std::string_view name) const {
  const Variable* variable = Find(name);
  if (variable == nullptr) return std::nullopt;
  if (!variable->shape.empty()) {
    ThrowUserError("{}: '{}' is not one number", path().string(), name);
  }
  return LoadFloat(variable->data, variable->type);
}

std::vector<float> Ctranslate2Reader::Factors(const Variable& variable) const {
  const int64_t rows = variable.shape.front();
  const bool in_bytes = variable.type == Ctranslate2Type::kInt8;
  if (!in_bytes) return {};
  const Variable* factors = Find(variable.name + kCtranslate2Factors);
  const bool fits = factors != nullptr && factors->type == Ctranslate2Type::kFloat32 &&
                    factors->shape == std::vector<int64_t>{rows};
  if (!fits) {
    ThrowUserError("{}: '{}' is in bytes but has no {} for each of its {} rows", path().string(),
                   variable.name, kCtranslate2Factors, rows);
  }
  std::vector<float> values(static_cast<size_t>(rows));
  std::memcpy(values.data(), factors->data, values.size() * sizeof(float));
  return values;
}

RowSource Ctranslate2Reader::Rows(const std::string& name) const {
  const Variable* variable = Find(name);
  if (variable == nullptr) ThrowUserError("{} has no '{}'", path().string(), name);
  const size_t rank = variable->shape.size();
  const Ctranslate2Type type = variable->type;
  const bool is_integer = type == Ctranslate2Type::kInt16 || type == Ctranslate2Type::kInt32;
  if (rank < 1 || rank > 2 || is_integer) {
    ThrowUserError(
        "{}: '{}' is not a vector or matrix of floats or int8; convert the model again with "
        "--quantization float32",
        path().string(), name);
  }
  RowSource source{.name = name,
                   .rows = rank == 1 ? 1 : variable->shape[0],
                   .columns = variable->shape.back(),
                   .is_vector = rank == 1,
                   .read = {}};
  source.read = [data = variable->data, type, columns = source.columns,
                 factors = Factors(*variable)](int64_t row, std::span<float> values) {
    const std::byte* from = data + row * columns * SizeOf(type);
    const float factor = factors.empty() ? 1.0F : factors[static_cast<size_t>(row)];
    for (float& value : values) {
      value = LoadFloat(from, type) / factor;
      from += SizeOf(type);
    }
  };
  return source;
}

}  // namespace heed
