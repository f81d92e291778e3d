// A deterministic first-fit allocator over one slab: the same calls in the same order always give
// the same addresses, so a step repeats exactly and can be captured. The slab itself belongs to the
// caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

class Workspace {
 public:
  static constexpr int64_t kAlignment = 64;  // bytes; a cache line

  Workspace(std::byte* slab, int64_t capacity_bytes);

  // Offset of a block of at least `bytes`. Throws InternalError when the slab is full, which means
  // that a batch is larger than the plan that sized the slab.
  int64_t Allocate(int64_t bytes);
  void Free(int64_t offset, int64_t bytes);

  std::byte* at(int64_t offset) const { return slab_ + offset; }
  bool empty() const;
  int64_t capacity_bytes() const { return capacity_; }
  // The end of the highest block since the last reset: the slab size that would have sufficed.
  int64_t high_water_bytes() const { return high_water_; }
  // A hash of all offsets handed out since the last reset; equal hashes mean equal addresses.
  uint64_t trace() const { return trace_; }
  void ResetStatistics();

 private:
  struct Block {
    int64_t offset, bytes;
  };
  std::byte* slab_;
  int64_t capacity_;
  std::vector<Block> free_;  // by offset, never adjacent
  int64_t high_water_ = 0;
  uint64_t trace_ = 0;
};

}  // namespace heed
