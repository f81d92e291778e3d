// A set of 64-bit hashes in 8 to 27 bytes each, for finding equal lines among very many. Two
// different lines among n are taken for equal with probability n^2 / 2^65: 3e-8 for a million.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed {

class FingerprintSet {
 public:
  FingerprintSet() : slots_(1024, 0) {}

  // True if the hash was not there yet.
  bool Insert(uint64_t hash);
  int64_t size() const { return size_; }

 private:
  uint64_t& SlotOf(uint64_t hash);
  void Grow();

  std::vector<uint64_t> slots_;  // open addressing; 0 = free; a power of two of them
  int64_t size_ = 0;
};

// Of a pair of lines; different if either differs or they are shifted against each other.
uint64_t HashOfPair(std::string_view source, std::string_view target);

}  // namespace heed
