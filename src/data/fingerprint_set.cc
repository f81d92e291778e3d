#include "data/fingerprint_set.h"

#include <utility>

#include "util/checksum.h"

namespace heed {
namespace {

// FNV-1a leaves its high bits weak on short texts; this is the finalizer of MurmurHash3.
uint64_t Mix(uint64_t hash) {
  hash = (hash ^ (hash >> 33)) * uint64_t{0xFF51AFD7ED558CCD};
  hash = (hash ^ (hash >> 33)) * uint64_t{0xC4CEB9FE1A85EC53};
  return hash ^ (hash >> 33);
}

}  // namespace

uint64_t& FingerprintSet::SlotOf(uint64_t hash) {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & mask;
  return slots_[slot];
}

void FingerprintSet::Grow() {
  const std::vector<uint64_t> old = std::exchange(slots_, std::vector<uint64_t>(2 * slots_.size()));
  for (const uint64_t hash : old) {
    if (hash != 0) SlotOf(hash) = hash;
  }
}

bool FingerprintSet::Insert(uint64_t hash) {
  if (hash == 0) hash = 1;
  uint64_t& slot = SlotOf(hash);
  if (slot == hash) return false;
  slot = hash;
  ++size_;
  if (4 * static_cast<size_t>(size_) > 3 * slots_.size()) Grow();
  return true;
}

uint64_t HashOfPair(std::string_view source, std::string_view target) {
  return Mix(Fnv1a64(target, Fnv1a64("\n", Fnv1a64(source))));
}

}  // namespace heed
