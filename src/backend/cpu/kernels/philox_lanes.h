// util/philox.h eight blocks at a time: the same bits.
#pragma once

#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/lanes.h"
#include "util/philox.h"

namespace heed::HEED_ISA {

inline constexpr int64_t kRandomChunk = 512;                 // words that one call may ask for
inline constexpr int64_t kRandomBuffer = kRandomChunk + 64;  // words of buffer it needs

// Writes the words of blocks [block, block + 8) to out[0..31]. The block number's low half must not
// overflow within them.
inline void PhiloxEightBlocks(const RandomStream& stream, uint64_t block, uint32_t* out) {
  alignas(32) static constexpr uint32_t kIndices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(32) uint32_t low[8];
  for (int i = 0; i < 8; ++i) low[i] = static_cast<uint32_t>(block) + kIndices[i];
  Ints x[4] = {LoadInts(low), SetInts(static_cast<uint32_t>(block >> 32)), SetInts(stream.update),
               SetInts(stream.op)};
  uint32_t key0 = static_cast<uint32_t>(stream.seed);
  uint32_t key1 = static_cast<uint32_t>(stream.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    Ints high0, low0, high1, low1;
    MultiplyWide(x[0], SetInts(0xD2511F53U), &high0, &low0);
    MultiplyWide(x[2], SetInts(0xCD9E8D57U), &high1, &low1);
    x[0] = Xor(Xor(high1, x[1]), SetInts(key0));
    x[1] = low1;
    x[2] = Xor(Xor(high0, x[3]), SetInts(key1));
    x[3] = low0;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  StoreInterleaved(out, x);
}

// The random bits of elements [first, first + count), count <= kRandomChunk; a pointer into buffer.
// Up to seven words after them may be read as well.
inline const uint32_t* RandomWords(const RandomStream& stream, uint64_t first, int64_t count,
                                   uint32_t* buffer) {
  const uint64_t block = first / 4 & ~uint64_t{7};
  const auto skipped = static_cast<int64_t>(first - block * 4);
  for (int64_t word = 0; word < skipped + count; word += 32) {
    PhiloxEightBlocks(stream, block + static_cast<uint64_t>(word / 4), buffer + word);
  }
  return buffer + skipped;
}

inline Floats KeepMask(const uint32_t* bits, uint32_t threshold) {
  // kept if bits >= threshold, that is not (bits < threshold)
  const Floats dropped = LessUnsigned(LoadInts(bits), SetInts(threshold));
  return Not(dropped);
}

}  // namespace heed::HEED_ISA
