#include "metrics/numpy_random.h"

#include <array>
#include <bit>

#include "util/check.h"

namespace heed {
namespace {

// SeedSequence: a pool of four words in which every seed bit reaches every pool bit.
class SeedSequence {
 public:
  explicit SeedSequence(uint64_t seed) {
    const std::array<uint32_t, 4> entropy = {static_cast<uint32_t>(seed),
                                             static_cast<uint32_t>(seed >> 32U), 0, 0};
    for (size_t i = 0; i < pool_.size(); ++i) {
      pool_[i] = Hash(entropy[i]);
    }
    for (size_t source = 0; source < pool_.size(); ++source) {
      for (size_t target = 0; target < pool_.size(); ++target) {
        if (source != target) {
          pool_[target] = Mix(pool_[target], Hash(pool_[source]));
        }
      }
    }
  }

  // The first words of generate_state.
  std::array<uint64_t, 4> Generate() const {
    std::array<uint64_t, 4> out{};
    uint32_t constant = 0x8B51F9DD;
    for (size_t i = 0; i < 2 * out.size(); ++i) {
      uint32_t word = pool_[i % pool_.size()] ^ constant;
      constant *= 0x58F38DED;
      word *= constant;
      word ^= word >> 16U;
      out[i / 2] |= static_cast<uint64_t>(word) << (32U * (i % 2));
    }
    return out;
  }

 private:
  uint32_t Hash(uint32_t word) {
    word ^= constant_;
    constant_ *= 0x931E8875;
    word *= constant_;
    return word ^ (word >> 16U);
  }

  static uint32_t Mix(uint32_t a, uint32_t b) {
    const uint32_t mixed = 0xCA01F9DD * a - 0x4973F715 * b;
    return mixed ^ (mixed >> 16U);
  }

  uint32_t constant_ = 0x43B0D7E5;
  std::array<uint32_t, 4> pool_{};
};

}  // namespace

NumpyRandom::NumpyRandom(uint64_t seed) {
  const auto [state_high, state_low, stream_high, stream_low] = SeedSequence(seed).Generate();
  const UInt128 start = (static_cast<UInt128>(state_high) << 64U) | state_low;
  const UInt128 stream = (static_cast<UInt128>(stream_high) << 64U) | stream_low;
  increment_ = (stream << 1U) | 1U;
  Next64();
  state_ += start;
  Next64();
}

uint64_t NumpyRandom::Next64() {
  const UInt128 multiplier = (static_cast<UInt128>(0x2360ED051FC65DA4) << 64U) | 0x4385DF649FCCF645;
  state_ = state_ * multiplier + increment_;
  const auto high = static_cast<uint64_t>(state_ >> 64U);
  const auto low = static_cast<uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58U));
}

uint32_t NumpyRandom::Next32() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const uint64_t both = Next64();
  has_spare_ = true;
  spare_ = static_cast<uint32_t>(both >> 32U);
  return static_cast<uint32_t>(both);
}

uint32_t NumpyRandom::Below(uint32_t limit) {
  HEED_CHECK(limit > 0, "no number is below 0");
  if (limit == 1) {
    return 0;  // numpy draws nothing
  }
  const uint32_t threshold = (0U - limit) % limit;  // 2^32 mod limit
  uint64_t product = 0;
  do {
    product = static_cast<uint64_t>(Next32()) * limit;
  } while (static_cast<uint32_t>(product) < threshold);
  return static_cast<uint32_t>(product >> 32U);
}

}  // namespace heed
