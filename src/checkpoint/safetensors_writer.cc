#include "checkpoint/safetensors_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "checkpoint/safetensors_format.h"
#include "util/check.h"

namespace heed {
namespace {

constexpr size_t kHeaderAlignment = 8;

SafetensorsType TypeOf(const TensorToWrite& tensor) {
  const auto type = FindSafetensorsType(tensor.type);
  HEED_CHECK(type.has_value(), "tensor {} has the unknown type {}", tensor.name, tensor.type);
  return *type;
}

int64_t BytesOf(const TensorToWrite& tensor) {
  int64_t bits = TypeOf(tensor).bits;
  for (const int64_t size : tensor.shape) bits *= size;
  return bits / 8;
}

// Widest elements first, then by name: every tensor starts at a multiple of its element size.
void SortForAlignment(std::vector<TensorToWrite>& tensors) {
  std::ranges::sort(tensors, [](const TensorToWrite& a, const TensorToWrite& b) {
    return std::pair(-TypeOf(a).bits, a.name) < std::pair(-TypeOf(b).bits, b.name);
  });
}

// The JSON header, padded with spaces so that the data starts aligned.
std::string HeaderOf(const std::vector<TensorToWrite>& tensors,
                     const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header;
  header[std::string(kSafetensorsMetadata)] = metadata;
  int64_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    HEED_CHECK(!header.contains(tensor.name), "two tensors are called {}", tensor.name);
    const int64_t end = offset + BytesOf(tensor);
    header[tensor.name] = {
        {"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
  return text;
}

}  // namespace

TensorToWrite MatrixToWrite(std::string name, ConstMatrixView matrix) {
  TensorToWrite tensor{.name = std::move(name),
                       .type = std::string(SafetensorsName(matrix.type())),
                       .shape = {matrix.rows(), matrix.columns()},
                       .write = {}};
  if (matrix.rows() == 1) tensor.shape = {matrix.columns()};
  tensor.write = [matrix](AtomicFile& file) {
    const int64_t element = SizeOf(matrix.type());
    if (matrix.contiguous()) {
      file.Write(matrix.data(), matrix.size() * element);
      return;
    }
    const auto* row = static_cast<const std::byte*>(matrix.data());
    for (int64_t i = 0; i < matrix.rows(); ++i, row += matrix.stride() * element) {
      file.Write(row, matrix.columns() * element);
    }
  };
  return tensor;
}

TensorToWrite IntegerToWrite(std::string name, int64_t value) {
  return {.name = std::move(name), .type = "I64", .shape = {}, .write = [value](AtomicFile& file) {
            file.Write(&value, sizeof value);
          }};
}

WrittenFile WriteSafetensors(const std::filesystem::path& path, std::vector<TensorToWrite> tensors,
                             std::map<std::string, std::string> metadata) {
  SortForAlignment(tensors);
  metadata["format"] = "pt";
  const std::string header = HeaderOf(tensors, metadata);
  const auto length = static_cast<int64_t>(header.size());
  HEED_CHECK(length <= kMaxSafetensorsHeader, "a safetensors header of {} bytes", length);

  AtomicFile file(path);
  file.Write(&length, sizeof length);
  file.Write(header);
  for (const TensorToWrite& tensor : tensors) {
    const int64_t end = file.bytes() + BytesOf(tensor);
    tensor.write(file);
    HEED_CHECK(file.bytes() == end, "tensor {} wrote {} bytes too many", tensor.name,
               file.bytes() - end);
  }
  file.Commit();
  return {.bytes = file.bytes(), .crc32 = file.crc32()};
}

}  // namespace heed
