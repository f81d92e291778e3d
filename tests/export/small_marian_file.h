// Both of Marian's files, of three arrays.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "export/marian_bin.h"
#include "export/marian_npz.h"

namespace heed {

inline MarianItem FloatItem(const std::string& name, std::vector<int64_t> shape,
                            const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  return {.name = name,
          .type = MarianType::kFloat32,
          .shape = std::move(shape),
          .make = [data = std::string(bytes, values.size() * sizeof(float))] { return data; }};
}

// "a_Wq" [2, 3], "a_bq" [1, 3], and a text of 12 characters that is padded to `block`.
inline std::vector<MarianItem> SmallMarianItems(int64_t block = 1) {
  return {FloatItem("a_Wq", {2, 3}, {1, 2, 3, 4, 5, 6}), FloatItem("a_bq", {1, 3}, {-1, 0, 1}),
          MarianTextItem(kMarianConfig, "dim-emb: 16\n", block)};
}

inline void WriteSmallMarianFile(const std::filesystem::path& path) {
  path.extension() == ".npz" ? WriteMarianNpz(path, SmallMarianItems())
                             : WriteMarianBin(path, SmallMarianItems(kMarianBlock));
}

}  // namespace heed
