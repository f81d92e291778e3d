// The bits of numpy.random.default_rng(seed).integers(0, n), to repeat sacreBLEU's resamples.
//
// PCG64 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms", XSL-RR 128/64), seeded through numpy's SeedSequence (O'Neill 2015, "Developing a
// seed_seq Alternative"); bounded numbers by Lemire 2019, "Fast Random Integer Generation in an
// Interval". Non-goal: a generator for training; that is util's counter-based one.
#pragma once

#include <cstdint>

namespace heed {

class NumpyRandom {
 public:
  explicit NumpyRandom(uint64_t seed);

  uint64_t Next64();
  uint32_t Next32();  // two halves of one 64-bit number, the low one first

  // Uniform in [0, limit); 1 <= limit <= 2^32 - 1.
  uint32_t Below(uint32_t limit);

 private:
  __extension__ typedef unsigned __int128 UInt128;

  UInt128 state_ = 0;
  UInt128 increment_ = 0;
  uint32_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace heed
