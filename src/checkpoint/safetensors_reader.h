// Reads safetensors files through the memory map. A file from anywhere is safe to open: the whole
// header is checked before any element is touched, and every fault is a UserError that names the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/safetensors_format.h"
#include "tensor/matrix_view.h"
#include "util/mapped_file.h"

namespace heed {

struct StoredTensor {
  std::string name;
  SafetensorsType type;
  std::vector<int64_t> shape;
  int64_t elements = 0;
  int64_t begin = 0, end = 0;       // bytes from the start of the data
  const std::byte* data = nullptr;  // little-endian, row-major, perhaps not aligned
};

class SafetensorsReader {
 public:
  explicit SafetensorsReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.path(); }
  // In the order of their data.
  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }
  // Throws UserError if the file has no such tensor.
  const StoredTensor& Get(std::string_view name) const;

  // Copies a tensor into host memory. F16, BF16, F32 and F64 become what the matrix holds, float32
  // or float64. A vector is a matrix of one row. Throws UserError if name, type or shape do not
  // fit.
  void Read(std::string_view name, const MatrixView& matrix) const;
  int64_t ReadInteger(std::string_view name) const;  // I64, one element

 private:
  const StoredTensor* Find(std::string_view name) const;

  MappedFile file_;
  std::vector<StoredTensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace heed
