// The kernels whose output rows may not depend on each other, as a table: each entry can run on any
// part of its rows (of its sentences, for attention) and tells the bits of every row's results.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "backend/backend.h"

namespace heed {

// [rows]: the bits of everything that belongs to one row.
using RowBits = std::vector<std::vector<uint32_t>>;

struct RowKernel {
  std::string name;
  int64_t rows = 0;
  // Runs on rows [begin, begin + count) of the inputs.
  std::function<RowBits(Backend& backend, int64_t begin, int64_t count)> run;
};

std::vector<RowKernel> RowKernels();

// Appends the bits of all elements.
void AppendBits(ConstMatrixView values, std::vector<uint32_t>& bits);

}  // namespace heed
