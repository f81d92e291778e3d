// Counts of n-grams of one segment, shared by BLEU (of words) and chrF (of characters and words).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed {

// counts[order - 1][id]: how often the n-gram `id` of that order occurs. Vectors of one NgramIndex
// may differ in length; an id past the end counts zero.
using NgramCounts = std::vector<std::vector<int64_t>>;

// Gives equal n-grams equal, dense ids, so that a hypothesis and its references can be compared by
// position. One per segment: hypothesis and references go through the same index.
class NgramIndex {
 public:
  explicit NgramIndex(int64_t max_order);

  // Counts all n-grams of orders 1...max_order of a sequence of symbols.
  NgramCounts Count(std::span<const uint32_t> symbols);

 private:
  // ids_[order - 1]: (id of the n-gram without its last symbol, last symbol) -> id
  std::vector<std::unordered_map<uint64_t, uint32_t>> ids_;
};

// Equal words get equal numbers.
class WordIndex {
 public:
  std::vector<uint32_t> Number(const std::vector<std::u32string_view>& words);

 private:
  std::unordered_map<std::u32string, uint32_t> numbers_;
};

int64_t TotalCount(const std::vector<int64_t>& counts);

// Sum over ids of min(a, b).
int64_t MatchCount(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

// into = max(into, from), id by id.
void MergeMaximum(const std::vector<int64_t>& from, std::vector<int64_t>* into);

}  // namespace heed
