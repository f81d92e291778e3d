#include "export/ctranslate2_writer.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "export/file_numbers.h"
#include "util/check.h"

namespace heed {
namespace {

void WriteString(AtomicFile& file, const std::string& text) {
  WriteNumber<uint16_t>(file, std::ssize(text) + 1);
  file.Write(text.c_str(), std::ssize(text) + 1);
}

int64_t BytesOf(const Ctranslate2Variable& variable) {
  int64_t bytes = SizeOf(variable.type);
  for (const int64_t size : variable.shape) bytes *= size;
  return bytes;
}

void WriteVariable(AtomicFile& file, const Ctranslate2Variable& variable) {
  WriteString(file, variable.name);
  WriteNumber<uint8_t>(file, std::ssize(variable.shape));
  for (const int64_t size : variable.shape) WriteNumber<uint32_t>(file, size);
  WriteNumber<uint8_t>(file, static_cast<int64_t>(variable.type));
  WriteNumber<uint32_t>(file, BytesOf(variable));
  const int64_t end = file.bytes() + BytesOf(variable);
  variable.write(file);
  HEED_CHECK(file.bytes() == end, "variable {} wrote {} bytes too many", variable.name,
             file.bytes() - end);
}

Ctranslate2Type Ctranslate2TypeOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return Ctranslate2Type::kFloat32;
    case ElementType::kFloat16:
      return Ctranslate2Type::kFloat16;
    case ElementType::kBfloat16:
      return Ctranslate2Type::kBfloat16;
    case ElementType::kInt8:
      return Ctranslate2Type::kInt8;
  }
  HEED_CHECK(false, "element type {}", static_cast<int>(type));
  return {};
}

}  // namespace

Ctranslate2Variable Ctranslate2Scalar(std::string name, Ctranslate2Type type, int64_t value) {
  const bool is_byte = type == Ctranslate2Type::kInt8;
  HEED_CHECK(is_byte || type == Ctranslate2Type::kInt16, "{} is no small integer", name);
  return {.name = std::move(name),
          .shape = {},
          .type = type,
          .write = [is_byte, value](AtomicFile& file) {
            is_byte ? WriteNumber<int8_t>(file, value) : WriteNumber<int16_t>(file, value);
          }};
}

std::vector<Ctranslate2Variable> Ctranslate2Tensor(const std::string& name, RowSource source,
                                                   ElementType type, bool is_weight) {
  const bool in_bytes = type == ElementType::kInt8;
  if (in_bytes && (!is_weight || source.is_vector)) type = ElementType::kFloat32;
  Ctranslate2Variable variable{
      .name = name, .shape = source.shape(), .type = Ctranslate2TypeOf(type), .write = {}};
  if (type != ElementType::kInt8) {
    variable.write = [source = std::move(source), type](AtomicFile& file) {
      WriteFloats(source, type, file);
    };
    return {std::move(variable)};
  }
  variable.write = [source](AtomicFile& file) { WriteBytes(source, file); };
  Ctranslate2Variable factors{
      .name = name + kCtranslate2Factors,
      .shape = {source.rows},
      .type = Ctranslate2Type::kFloat32,
      .write = [source](AtomicFile& file) {
        const std::vector<float> values = RowFactors(source);
        file.Write(values.data(), std::ssize(values) * static_cast<int64_t>(sizeof(float)));
      }};
  return {std::move(variable), std::move(factors)};
}

void WriteCtranslate2File(const std::filesystem::path& path,
                          std::vector<Ctranslate2Variable> variables,
                          const std::vector<Ctranslate2Alias>& aliases) {
  std::ranges::sort(variables, {}, &Ctranslate2Variable::name);
  const auto twice = std::ranges::adjacent_find(variables, {}, &Ctranslate2Variable::name);
  HEED_CHECK(twice == variables.end(), "two variables are called {}", twice->name);
  AtomicFile file(path);
  WriteNumber<uint32_t>(file, kCtranslate2Version);
  WriteString(file, kCtranslate2Spec);
  WriteNumber<uint32_t>(file, kCtranslate2Revision);
  WriteNumber<uint32_t>(file, std::ssize(variables));
  for (const Ctranslate2Variable& variable : variables) WriteVariable(file, variable);
  WriteNumber<uint32_t>(file, std::ssize(aliases));
  for (const auto& [alias, name] : aliases) {
    WriteString(file, alias);
    WriteString(file, name);
  }
  file.Commit();
}

}  // namespace heed
