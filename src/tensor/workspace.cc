#include "tensor/workspace.h"

#include <algorithm>
#include <iterator>

#include "util/check.h"

namespace heed {
namespace {

// An empty tensor takes a line too, so that every block has its own address.
int64_t RoundUp(int64_t bytes) {
  return std::max<int64_t>(1, (bytes + Workspace::kAlignment - 1) / Workspace::kAlignment) *
         Workspace::kAlignment;
}

}  // namespace

Workspace::Workspace(std::byte* slab, int64_t capacity_bytes)
    : slab_(slab), capacity_(capacity_bytes / kAlignment * kAlignment) {
  free_.reserve(4096);
  free_.push_back({0, capacity_});
  ResetStatistics();
}

int64_t Workspace::Allocate(int64_t bytes) {
  const int64_t need = RoundUp(bytes);
  for (auto block = free_.begin(); block != free_.end(); ++block) {
    if (block->bytes < need) continue;
    const int64_t offset = block->offset;
    block->offset += need;
    block->bytes -= need;
    if (block->bytes == 0) free_.erase(block);
    high_water_ = std::max(high_water_, offset + need);
    trace_ = trace_ * 1099511628211ULL ^ static_cast<uint64_t>(offset);
    return offset;
  }
  HEED_CHECK(false, "the workspace of {} bytes has no room for {} more", capacity_, need);
  return 0;
}

void Workspace::Free(int64_t offset, int64_t bytes) {
  const int64_t size = RoundUp(bytes);
  auto next = std::lower_bound(free_.begin(), free_.end(), offset,
                               [](const Block& b, int64_t at) { return b.offset < at; });
  const bool joins_next = next != free_.end() && offset + size == next->offset;
  const bool joins_previous =
      next != free_.begin() && std::prev(next)->offset + std::prev(next)->bytes == offset;
  if (joins_previous) {
    std::prev(next)->bytes += size + (joins_next ? next->bytes : 0);
    if (joins_next) free_.erase(next);
  } else if (joins_next) {
    next->offset = offset;
    next->bytes += size;
  } else {
    free_.insert(next, {offset, size});
  }
}

bool Workspace::empty() const {
  return free_.size() == 1 && free_[0].bytes == capacity_;
}

void Workspace::ResetStatistics() {
  high_water_ = 0;
  trace_ = 1469598103934665603ULL;
}

}  // namespace heed
