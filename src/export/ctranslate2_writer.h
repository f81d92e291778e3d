// Writes CTranslate2's model.bin, one variable after the other, without holding any in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "export/ctranslate2_format.h"
#include "export/element_type.h"
#include "export/row_source.h"
#include "util/files.h"

namespace heed {

struct Ctranslate2Variable {
  std::string name;
  std::vector<int64_t> shape;  // empty = a scalar
  Ctranslate2Type type = Ctranslate2Type::kFloat32;
  std::function<void(AtomicFile& file)> write;  // the elements
};

using Ctranslate2Alias = std::pair<std::string, std::string>;  // {alias, name}

// An attribute of the model: int8 (also for truth values) or int16.
Ctranslate2Variable Ctranslate2Scalar(std::string name, Ctranslate2Type type, int64_t value);

// A tensor as its type wants it: one variable, or for int8 a matrix of bytes and its factors.
// Vectors and whatever is not a weight stay float32 then, as CTranslate2's own converter does.
std::vector<Ctranslate2Variable> Ctranslate2Tensor(const std::string& name, RowSource source,
                                                   ElementType type, bool is_weight);

// Sorts the variables by name, as the reference writer does.
void WriteCtranslate2File(const std::filesystem::path& path,
                          std::vector<Ctranslate2Variable> variables,
                          const std::vector<Ctranslate2Alias>& aliases);

}  // namespace heed
