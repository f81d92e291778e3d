#include "checkpoint/safetensors_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tensor/half_precision.h"
#include "util/check.h"

namespace heed {
namespace {

using nlohmann::json;

constexpr int64_t kLengthBytes = 8;
constexpr int kDeepest = 3;             // header, tensor, shape
constexpr size_t kLongestReason = 300;  // bytes; names in a broken file may be of any length

// Faults of the header; the reader adds the file's name.
class HeaderFault : public std::runtime_error {
 public:
  template <class... Args>
  explicit HeaderFault(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

// Parses JSON, refusing what the format forbids and a JSON tree would hide: names given twice. Deep
// nesting ends the parse at once.
json ParseHeader(std::string_view text) {
  std::set<std::string> names[kDeepest + 1];
  const auto check = [&names](int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kDeepest) throw HeaderFault("the header is nested too deeply");
      names[depth + 1].clear();
    } else if (event == Event::key) {
      const auto name = parsed.get<std::string>();
      if (!names[depth].insert(name).second) throw HeaderFault("'{}' is given twice", name);
    }
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::exception& error) {
    throw HeaderFault("the header is not JSON ({})", error.what());
  }
}

std::map<std::string, std::string> ParseMetadata(const json& entry) {
  std::map<std::string, std::string> metadata;
  if (!entry.is_object()) throw HeaderFault("the metadata is not an object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) throw HeaderFault("metadata '{}' is not a string", key);
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// A list of integers from 0 to the largest int64.
std::vector<int64_t> ParseSizes(const json& list, const std::string& name, const char* field) {
  std::vector<int64_t> sizes;
  for (const json& value : list) {
    if (!value.is_number_unsigned() ||
        value.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()}) {
      throw HeaderFault("tensor '{}': {} holds something other than a size", name, field);
    }
    sizes.push_back(value.get<int64_t>());
  }
  return sizes;
}

// The elements of a shape; also checks that offsets and type agree with it.
int64_t CountElements(const StoredTensor& tensor) {
  int64_t elements = 1;
  int64_t bits = 0;
  for (const int64_t size : tensor.shape) {
    if (__builtin_mul_overflow(elements, size, &elements)) {
      throw HeaderFault("tensor '{}': its shape overflows", tensor.name);
    }
  }
  if (__builtin_mul_overflow(elements, tensor.type.bits, &bits) || bits % 8 != 0 ||
      bits / 8 != tensor.end - tensor.begin) {
    throw HeaderFault("tensor '{}': {} bytes do not hold {} elements of {}", tensor.name,
                      tensor.end - tensor.begin, elements, tensor.type.name);
  }
  return elements;
}

StoredTensor ParseTensor(const std::string& name, const json& entry) {
  const bool complete = entry.is_object() && entry.size() == 3 && entry.contains("dtype") &&
                        entry.contains("shape") && entry.contains("data_offsets") &&
                        entry["dtype"].is_string() && entry["shape"].is_array() &&
                        entry["data_offsets"].is_array() && entry["data_offsets"].size() == 2;
  if (!complete) throw HeaderFault("tensor '{}' lacks dtype, shape or data_offsets", name);
  const auto type_name = entry["dtype"].get<std::string>();
  const auto type = FindSafetensorsType(type_name);
  if (!type) throw HeaderFault("tensor '{}': the type '{}' is unknown", name, type_name);

  StoredTensor tensor{.name = name, .type = *type, .shape = {}};
  tensor.shape = ParseSizes(entry["shape"], name, "shape");
  const std::vector<int64_t> offsets = ParseSizes(entry["data_offsets"], name, "data_offsets");
  tensor.begin = offsets[0];
  tensor.end = offsets[1];
  if (tensor.begin > tensor.end) throw HeaderFault("tensor '{}' ends before it begins", name);
  tensor.elements = CountElements(tensor);
  return tensor;
}

// Sorts by position and checks that the tensors cover the data without hole or overlap.
void CheckLayout(std::vector<StoredTensor>& tensors, int64_t data_bytes) {
  std::ranges::sort(tensors, [](const StoredTensor& a, const StoredTensor& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  int64_t position = 0;
  for (const StoredTensor& tensor : tensors) {
    if (tensor.begin != position) {
      throw HeaderFault("tensor '{}' begins at byte {} of the data, not at {}", tensor.name,
                        tensor.begin, position);
    }
    position = tensor.end;
  }
  if (position != data_bytes) {
    throw HeaderFault("the header describes {} bytes of data, the file has {}", position,
                      data_bytes);
  }
}

std::string_view FindHeader(const MappedFile& file) {
  uint64_t length = 0;
  if (file.size() < kLengthBytes) throw HeaderFault("the file has only {} bytes", file.size());
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > uint64_t{kMaxSafetensorsHeader} ||
      static_cast<int64_t>(length) > file.size() - kLengthBytes) {
    throw HeaderFault("a header of {} bytes in a file of {}", length, file.size());
  }
  const std::string_view text = file.text().substr(kLengthBytes, length);
  if (text.empty() || text.front() != '{') throw HeaderFault("the header does not begin with '{{'");
  return text;
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

// Stored elements of type From become To by way of `widen`.
template <class From, class To, class Widen>
void ConvertRowsTo(const std::byte* data, const MatrixView& matrix, const Widen& widen) {
  for (int64_t row = 0; row < matrix.rows; ++row) {
    To* out = matrix.Row<To>(row);
    for (int64_t i = 0; i < matrix.columns; ++i, data += sizeof(From)) {
      From value;
      std::memcpy(&value, data, sizeof value);
      out[i] = static_cast<To>(widen(value));
    }
  }
}

template <class From, class Widen>
void ConvertRows(const std::byte* data, const MatrixView& matrix, const Widen& widen) {
  if (matrix.type == DType::kFloat64) {
    ConvertRowsTo<From, double>(data, matrix, widen);
  } else {
    ConvertRowsTo<From, float>(data, matrix, widen);
  }
}

// Between types of floats; false if one of them is none.
bool ConvertFloats(std::string_view type, const std::byte* data, const MatrixView& matrix) {
  if (matrix.type != DType::kFloat32 && matrix.type != DType::kFloat64) return false;
  if (type == "F32") {
    ConvertRows<float>(data, matrix, [](float x) { return x; });
  } else if (type == "F64") {
    ConvertRows<double>(data, matrix, [](double x) { return x; });
  } else if (type == "F16") {
    ConvertRows<uint16_t>(data, matrix, FromFloat16);
  } else if (type == "BF16") {
    ConvertRows<uint16_t>(data, matrix, FromBfloat16);
  } else {
    return false;
  }
  return true;
}

void CopyRows(const std::byte* data, const MatrixView& matrix) {
  const int64_t bytes = matrix.columns * SizeOf(matrix.type);
  for (int64_t row = 0; row < matrix.rows; ++row, data += bytes) {
    std::memcpy(matrix.Rows(row, 1).data, data, static_cast<size_t>(bytes));
  }
}

}  // namespace

SafetensorsReader::SafetensorsReader(const std::filesystem::path& path) : file_(path) {
  try {
    const std::string_view text = FindHeader(file_);
    const auto data_begin = kLengthBytes + static_cast<int64_t>(text.size());
    const json header = ParseHeader(text);
    for (const auto& [name, entry] : header.items()) {
      if (name == kSafetensorsMetadata) {
        metadata_ = ParseMetadata(entry);
      } else {
        tensors_.push_back(ParseTensor(name, entry));
      }
    }
    CheckLayout(tensors_, file_.size() - data_begin);
    for (StoredTensor& tensor : tensors_) tensor.data = file_.data() + data_begin + tensor.begin;
  } catch (const HeaderFault& fault) {
    const std::string_view reason = fault.what();
    ThrowUserError("{} is not a whole safetensors file: {}; use another copy of it", path.string(),
                   reason.substr(0, kLongestReason));
  }
}

const StoredTensor* SafetensorsReader::Find(std::string_view name) const {
  const auto found = std::ranges::find(tensors_, name, &StoredTensor::name);
  return found == tensors_.end() ? nullptr : &*found;
}

const StoredTensor& SafetensorsReader::Get(std::string_view name) const {
  const StoredTensor* tensor = Find(name);
  if (tensor == nullptr) {
    ThrowUserError("{} has no tensor '{}'; was it written for another model?", path().string(),
                   name);
  }
  return *tensor;
}

void SafetensorsReader::Read(std::string_view name, const MatrixView& matrix) const {
  const StoredTensor& tensor = Get(name);
  const std::vector<int64_t>& shape = tensor.shape;
  const bool fits = shape.size() == 1 ? matrix.rows == 1 && shape[0] == matrix.columns
                                      : shape.size() == 2 && shape[0] == matrix.rows &&
                                            shape[1] == matrix.columns;
  if (!fits) {
    ThrowUserError(
        "{}: tensor '{}' has shape {}, the model needs [{}, {}]; the recipe and the file "
        "describe different models",
        path().string(), name, ShapeText(shape), matrix.rows, matrix.columns);
  }
  if (tensor.type.name == SafetensorsName(matrix.type)) {
    CopyRows(tensor.data, matrix);
  } else if (!ConvertFloats(tensor.type.name, tensor.data, matrix)) {
    ThrowUserError("{}: tensor '{}' has type {}, which cannot be read as {}", path().string(), name,
                   tensor.type.name, Name(matrix.type));
  }
}

int64_t SafetensorsReader::ReadInteger(std::string_view name) const {
  const StoredTensor& tensor = Get(name);
  if (tensor.type.name != "I64" || tensor.elements != 1) {
    ThrowUserError("{}: tensor '{}' is not one I64", path().string(), name);
  }
  int64_t value = 0;
  std::memcpy(&value, tensor.data, sizeof value);
  return value;
}

}  // namespace heed
