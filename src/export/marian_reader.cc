#include "export/marian_reader.h"

#include <cstring>
#include <span>
#include <utility>

#include "export/marian_bin_reader.h"
#include "export/marian_npz_reader.h"
#include "export/zip_format.h"
#include "tensor/half_precision.h"
#include "util/check.h"

namespace heed {
namespace {

float LoadMarianFloat(const std::byte* data, MarianType type) {
  if (type == MarianType::kFloat16) {
    uint16_t bits;
    std::memcpy(&bits, data, sizeof bits);
    return FromFloat16(bits);
  }
  float value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

// Reads values[i] at data + row * row_step + i * step, in elements.
auto ReadStrided(const MarianArray& array, int64_t row_step, int64_t step) {
  return
      [data = array.data, type = array.type, row_step, step](int64_t row, std::span<float> values) {
        const std::byte* from = data + row * row_step * SizeOf(type);
        for (float& value : values) {
          value = LoadMarianFloat(from, type);
          from += step * SizeOf(type);
        }
      };
}

}  // namespace

MarianReader::MarianReader(const std::filesystem::path& path) : file_(path) {
  const bool is_npz = file_.size() > 0 && file_.text().starts_with(kZipLocalMark);
  for (MarianArray& array : is_npz ? FindMarianNpzArrays(file_) : FindMarianBinArrays(file_)) {
    const std::string name = array.name;
    if (!arrays_.emplace(name, std::move(array)).second) {
      ThrowUserError("{} is damaged: '{}' comes twice; use another copy of it", path.string(),
                     name);
    }
  }
}

const MarianArray& MarianReader::Get(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) ThrowUserError("{} has no '{}'", path().string(), name);
  return found->second;
}

RowSource MarianReader::Rows(const std::string& name) const {
  const MarianArray& array = Get(name);
  const size_t rank = array.shape.size();
  if (rank > 2 || array.type == MarianType::kInt8) {
    ThrowUserError("{}: '{}' is not a vector or matrix of floats", path().string(), name);
  }
  RowSource source{.name = name,
                   .rows = rank == 1 ? 1 : array.shape[0],
                   .columns = array.shape.back(),
                   .read = {}};
  source.is_vector = source.rows == 1;
  source.read = ReadStrided(array, source.columns, 1);
  return source;
}

RowSource MarianReader::Columns(const std::string& name) const {
  RowSource source = Rows(name);
  source.read = ReadStrided(Get(name), 1, source.columns);
  std::swap(source.rows, source.columns);
  source.is_vector = false;
  return source;
}

std::string MarianReader::Text(const std::string& name) const {
  const MarianArray& array = Get(name);
  const bool is_row = array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[0] == 1);
  if (!is_row || array.type != MarianType::kInt8) {
    ThrowUserError("{}: '{}' is not text", path().string(), name);
  }
  const auto* text = reinterpret_cast<const char*>(array.data);
  return {text, strnlen(text, static_cast<size_t>(array.shape.back()))};
}

}  // namespace heed
