// Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as
// easy as 1, 2, 3"). A number depends only on (seed, update, op, element), so every backend, any
// number of threads, a recomputation and a resumed run all draw the same bits.
#pragma once

#include <array>
#include <cstdint>

namespace heed {

// One stream of random numbers: everything but the element's index.
struct RandomStream {
  uint64_t seed = 0;
  uint32_t update = 0;  // number of the training update, from 1
  uint32_t op = 0;      // number of the drawing op within the update
};

// The four words of block `block` of a stream. Element e is word e % 4 of block e / 4.
constexpr std::array<uint32_t, 4> PhiloxBlock(const RandomStream& stream, uint64_t block) {
  std::array<uint32_t, 4> x = {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                               stream.update, stream.op};
  uint32_t key0 = static_cast<uint32_t>(stream.seed);
  uint32_t key1 = static_cast<uint32_t>(stream.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53} * x[0];
    const uint64_t product1 = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(product1 >> 32) ^ x[1] ^ key0, static_cast<uint32_t>(product1),
         static_cast<uint32_t>(product0 >> 32) ^ x[3] ^ key1, static_cast<uint32_t>(product0)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return x;
}

// 32 random bits for one element.
constexpr uint32_t RandomBits(const RandomStream& stream, uint64_t element) {
  return PhiloxBlock(stream, element / 4)[element % 4];
}

// Uniform in (0, 1), never an end point, with 32 bits of resolution.
constexpr double RandomUniform(const RandomStream& stream, uint64_t element) {
  return (RandomBits(stream, element) + 0.5) * (1.0 / 4294967296.0);
}

// Dropout keeps an element if its bits reach this threshold; rate in [0, 1).
constexpr uint32_t DropoutThreshold(double rate) {
  return static_cast<uint32_t>(rate * 4294967296.0);
}
constexpr bool DropoutKeeps(const RandomStream& stream, uint64_t element, uint32_t threshold) {
  return RandomBits(stream, element) >= threshold;
}

}  // namespace heed
