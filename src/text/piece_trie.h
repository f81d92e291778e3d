// A set of strings that tells which of them a text starts with, in one walk over its bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace heed {

class PieceTrie {
 public:
  // Strings (not empty) with their ids (not negative), in any order. Of equal strings the last
  // counts.
  explicit PieceTrie(std::vector<std::pair<std::string_view, int32_t>> entries);

  // Calls body(length, id) for each entry that is a prefix of `text`, shortest first.
  template <class Body>
  void ForEachPrefix(std::string_view text, const Body& body) const {
    int32_t node = 0;
    for (size_t length = 0; length < text.size();) {
      node = Child(node, static_cast<unsigned char>(text[length]));
      if (node < 0) return;
      ++length;
      const int32_t id = nodes_[static_cast<size_t>(node)].id;
      if (id >= 0) body(static_cast<int64_t>(length), id);
    }
  }

  // The id of `text`, or -1.
  int32_t Find(std::string_view text) const;

 private:
  struct Node {
    int32_t id = -1;
    int32_t first_child = 0;  // children are neighbours in `nodes_`, in the order of their bytes
    int32_t num_children = 0;
    unsigned char byte = 0;  // on the way from the parent
  };

  int32_t Child(int32_t node, unsigned char byte) const;
  void AddChildren(int32_t node, size_t depth,
                   const std::vector<std::pair<std::string_view, int32_t>>& sorted, size_t begin,
                   size_t end);

  std::vector<Node> nodes_;  // the root is the first
};

}  // namespace heed
