// Matrices that are produced row by row, so that writing a tensor to a file needs memory for one of
// its rows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/safetensors_reader.h"

namespace heed {

struct RowSource {
  std::string name;  // for messages
  int64_t rows = 0;
  int64_t columns = 0;
  bool is_vector = false;  // one row, which files store with the shape [columns]
  // Fills values [columns] with a row.
  std::function<void(int64_t row, std::span<float> values)> read;

  std::vector<int64_t> shape() const {
    return is_vector ? std::vector<int64_t>{columns} : std::vector<int64_t>{rows, columns};
  }
  // What a linear layer has per output: rows of a weight, elements of a bias.
  int64_t outputs() const { return is_vector ? columns : rows; }
};

// A float tensor of a file, which must stay open. Throws UserError if it is none.
RowSource TensorRows(const StoredTensor& tensor);

// Outputs [first, first + count) of a weight or a bias.
RowSource SliceOutputs(RowSource source, int64_t first, int64_t count);
// More outputs after those of a weight or bias, `outputs` in all, whose values are `value`.
RowSource ExtendOutputs(RowSource source, int64_t outputs, float value);
// Column (or row) i of the result is column (row) order[i] of the source.
RowSource ReorderColumns(RowSource source, std::vector<int64_t> order);
RowSource ReorderRows(RowSource source, std::vector<int64_t> order);

// Output i of the result is output chosen[i] of a weight or bias.
RowSource SelectOutputs(RowSource source, std::vector<int64_t> chosen);

RowSource ZeroRows(std::string name, int64_t rows, int64_t columns);

}  // namespace heed
