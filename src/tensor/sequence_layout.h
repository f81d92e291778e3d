// Where the sentences of a packed batch lie: rows [starts[i], starts[i] + lengths[i]) are sentence
// i. There is no padding; only attention, positions, recurrence and decoding look at this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed {

class SequenceLayout {
 public:
  SequenceLayout() = default;

  // Sentences one after the other, in this order. A length of 0 is allowed.
  static SequenceLayout FromLengths(std::span<const int32_t> lengths);

  // Sentences anywhere in a matrix, for attention only: such a layout has no positions.
  static SequenceLayout FromRanges(std::vector<int32_t> starts, std::vector<int32_t> lengths);

  int64_t num_sentences() const { return static_cast<int64_t>(lengths_.size()); }
  int64_t num_tokens() const { return num_tokens_; }
  int32_t longest() const { return longest_; }
  int32_t start(int64_t sentence) const { return starts_[static_cast<size_t>(sentence)]; }
  int32_t length(int64_t sentence) const { return lengths_[static_cast<size_t>(sentence)]; }

  std::span<const int32_t> starts() const { return starts_; }
  std::span<const int32_t> lengths() const { return lengths_; }
  // [tokens]: the position of each token in its sentence, from 0.
  std::span<const int32_t> positions() const { return positions_; }

 private:
  std::vector<int32_t> starts_, lengths_, positions_;
  int64_t num_tokens_ = 0;
  int32_t longest_ = 0;
};

}  // namespace heed
