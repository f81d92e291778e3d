#include "tensor/sequence_layout.h"

#include <algorithm>
#include <utility>

#include "util/check.h"

namespace heed {

SequenceLayout SequenceLayout::FromLengths(std::span<const int32_t> lengths) {
  SequenceLayout layout;
  layout.lengths_.assign(lengths.begin(), lengths.end());
  int64_t start = 0;
  for (const int32_t length : lengths) {
    HEED_CHECK(length >= 0, "a sentence of length {}", length);
    HEED_CHECK(start + length <= INT32_MAX, "a batch of over 2^31 tokens");
    layout.starts_.push_back(static_cast<int32_t>(start));
    layout.longest_ = std::max(layout.longest_, length);
    for (int32_t position = 0; position < length; ++position) {
      layout.positions_.push_back(position);
    }
    start += length;
  }
  layout.num_tokens_ = start;
  return layout;
}

SequenceLayout SequenceLayout::FromRanges(std::vector<int32_t> starts,
                                          std::vector<int32_t> lengths) {
  HEED_CHECK(starts.size() == lengths.size(), "{} starts, {} lengths", starts.size(),
             lengths.size());
  SequenceLayout layout;
  for (const int32_t length : lengths) {
    HEED_CHECK(length >= 0, "a sentence of length {}", length);
    layout.num_tokens_ += length;
    layout.longest_ = std::max(layout.longest_, length);
  }
  layout.starts_ = std::move(starts);
  layout.lengths_ = std::move(lengths);
  return layout;
}

}  // namespace heed
