// Writes safetensors files that every client reads: sorted and aligned as the reference writer
// does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tensor/matrix_view.h"
#include "util/files.h"

namespace heed {

// A tensor and the function that writes its elements, row-major, when its turn comes: nothing is
// copied or held in memory for the whole file.
struct TensorToWrite {
  std::string name;  // printable ASCII: clients in every language keep it
  std::string type;  // of safetensors_format.h: "F32", "I64", ...
  std::vector<int64_t> shape;
  std::function<void(AtomicFile& file)> write;
};

// A matrix in host memory that lives until the file is written. One row is written as a vector,
// shape [columns].
TensorToWrite MatrixToWrite(std::string name, ConstMatrixView matrix);
// A scalar, shape [].
TensorToWrite IntegerToWrite(std::string name, int64_t value);

struct WrittenFile {
  int64_t bytes = 0;
  uint32_t crc32 = 0;
};

// Creates or replaces the file in one step. `metadata` gets "format": "pt", without which some
// clients refuse a file. Throws UserError if it cannot be written, InternalError if two tensors
// have one name.
WrittenFile WriteSafetensors(const std::filesystem::path& path, std::vector<TensorToWrite> tensors,
                             std::map<std::string, std::string> metadata = {});

}  // namespace heed
