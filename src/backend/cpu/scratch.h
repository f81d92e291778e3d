// Memory that a kernel needs for itself: one block per thread and a shared one. A block grows to
// the largest size that was ever asked for and is then kept, so repeated calls touch no heap.
#pragma once

#include <cstdint>
#include <vector>

#include "tensor/memory.h"

namespace heed {

class ScratchBlock {
 public:
  // At least `count` floats, aligned to a page; the contents are lost when the block grows.
  float* Floats(int64_t count) {
    const int64_t bytes = count * static_cast<int64_t>(sizeof(float));
    if (bytes > memory_.bytes()) memory_ = Memory::Host(bytes);
    return reinterpret_cast<float*>(memory_.data());
  }

 private:
  Memory memory_;
};

}  // namespace heed
