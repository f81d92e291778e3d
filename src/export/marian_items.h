// The arrays of a model as both of Marian's files store them, one in memory at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "export/marian_format.h"
#include "export/portable_weights.h"

namespace heed {

struct MarianItem {
  std::string name;
  MarianType type = MarianType::kFloat32;
  std::vector<int64_t> shape;
  std::function<std::string()> make;  // its bytes: little-endian, row-major

  int64_t bytes() const;
};

// All parameters: matrices as Marian has them (marian_names.h), vectors as [1, n], zeros for the
// biases that the model lacks. `weights` must outlive the items. Making one throws UserError if a
// value is not a finite number.
std::vector<MarianItem> MarianItems(const PortableWeights& weights);

// Text, ended by a zero. `block` > 1 adds zeros up to a multiple of it.
MarianItem MarianTextItem(std::string name, std::string text, int64_t block = 1);

}  // namespace heed
