#include "text/piece_trie.h"

#include <algorithm>

#include "util/check.h"

namespace heed {

PieceTrie::PieceTrie(std::vector<std::pair<std::string_view, int32_t>> entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [text, id] : entries) HEED_CHECK(!text.empty() && id >= 0, "entry {}", id);
  nodes_.emplace_back();
  AddChildren(0, 0, entries, 0, entries.size());
}

// Entries [begin, end) share the bytes that lead to `node`.
void PieceTrie::AddChildren(int32_t node, size_t depth,
                            const std::vector<std::pair<std::string_view, int32_t>>& sorted,
                            size_t begin, size_t end) {
  for (; begin < end && sorted[begin].first.size() == depth; ++begin) {
    nodes_[static_cast<size_t>(node)].id = sorted[begin].second;
  }
  std::vector<size_t> starts;  // of the entries with the same next byte
  for (size_t i = begin; i < end; ++i) {
    if (i == begin || sorted[i].first[depth] != sorted[i - 1].first[depth]) starts.push_back(i);
  }
  const auto first_child = static_cast<int32_t>(nodes_.size());
  nodes_[static_cast<size_t>(node)].first_child = first_child;
  nodes_[static_cast<size_t>(node)].num_children = static_cast<int32_t>(starts.size());
  for (const size_t start : starts) {
    nodes_.push_back({.byte = static_cast<unsigned char>(sorted[start].first[depth])});
  }
  starts.push_back(end);
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    AddChildren(first_child + static_cast<int32_t>(i), depth + 1, sorted, starts[i], starts[i + 1]);
  }
}

int32_t PieceTrie::Child(int32_t node, unsigned char byte) const {
  const Node& parent = nodes_[static_cast<size_t>(node)];
  const auto begin = nodes_.begin() + parent.first_child;
  const auto end = begin + parent.num_children;
  const auto found =
      std::lower_bound(begin, end, byte,
                       [](const Node& child, unsigned char wanted) { return child.byte < wanted; });
  if (found == end || found->byte != byte) return -1;
  return static_cast<int32_t>(found - nodes_.begin());
}

int32_t PieceTrie::Find(std::string_view text) const {
  int32_t node = 0;
  for (const char c : text) {
    node = Child(node, static_cast<unsigned char>(c));
    if (node < 0) return -1;
  }
  return nodes_[static_cast<size_t>(node)].id;
}

}  // namespace heed
