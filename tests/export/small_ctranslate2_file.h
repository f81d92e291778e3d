// A model.bin of a few variables.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "export/ctranslate2_writer.h"

namespace heed {

inline RowSource SmallMatrix() {
  return {
      .name = "matrix", .rows = 2, .columns = 3, .read = [](int64_t row, std::span<float> values) {
        for (size_t i = 0; i < values.size(); ++i) {
          values[i] = static_cast<float>(row + 1) * (static_cast<float>(i) - 1);
        }
      }};
}

inline void WriteSmallFile(const std::filesystem::path& path, ElementType type) {
  std::vector<Ctranslate2Variable> variables =
      Ctranslate2Tensor("b/weight", SmallMatrix(), type, true);
  RowSource bias = SliceOutputs(SmallMatrix(), 1, 1);
  bias.is_vector = true;
  for (auto& variable : Ctranslate2Tensor("b/bias", bias, type, false)) {
    variables.push_back(std::move(variable));
  }
  variables.push_back(Ctranslate2Scalar("a/heads", Ctranslate2Type::kInt16, -300));
  variables.push_back(Ctranslate2Scalar("a/flag", Ctranslate2Type::kInt8, 1));
  WriteCtranslate2File(path, std::move(variables), {{"c/weight", "b/weight"}});
}

}  // namespace heed
