#include "metrics/ngrams.h"

#include <algorithm>
#include <numeric>

namespace heed {

NgramIndex::NgramIndex(int64_t max_order) : ids_(static_cast<size_t>(max_order)) {}

NgramCounts NgramIndex::Count(std::span<const uint32_t> symbols) {
  NgramCounts counts(ids_.size());
  std::vector<uint32_t> prefixes(symbols.size(), 0);  // id of the (order - 1)-gram that starts here
  for (size_t n = 0; n < ids_.size() && n < symbols.size(); ++n) {
    auto& ids = ids_[n];
    for (size_t i = 0; i + n < symbols.size(); ++i) {
      const uint64_t key = (static_cast<uint64_t>(prefixes[i]) << 32U) | symbols[i + n];
      const uint32_t id = ids.try_emplace(key, static_cast<uint32_t>(ids.size())).first->second;
      counts[n].resize(std::max(counts[n].size(), ids.size()), 0);
      ++counts[n][id];
      prefixes[i] = id;
    }
  }
  return counts;
}

std::vector<uint32_t> WordIndex::Number(const std::vector<std::u32string_view>& words) {
  std::vector<uint32_t> numbers;
  numbers.reserve(words.size());
  for (const std::u32string_view word : words) {
    const auto next = static_cast<uint32_t>(numbers_.size());
    numbers.push_back(numbers_.try_emplace(std::u32string(word), next).first->second);
  }
  return numbers;
}

int64_t TotalCount(const std::vector<int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), int64_t{0});
}

int64_t MatchCount(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  int64_t matches = 0;
  for (size_t id = 0; id < std::min(a.size(), b.size()); ++id) {
    matches += std::min(a[id], b[id]);
  }
  return matches;
}

void MergeMaximum(const std::vector<int64_t>& from, std::vector<int64_t>* into) {
  into->resize(std::max(into->size(), from.size()), 0);
  for (size_t id = 0; id < from.size(); ++id) {
    (*into)[id] = std::max((*into)[id], from[id]);
  }
}

}  // namespace heed
