#include "text/piece_trie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<std::pair<int64_t, int32_t>> PrefixesOf(const PieceTrie& trie, std::string_view text) {
  std::vector<std::pair<int64_t, int32_t>> prefixes;
  trie.ForEachPrefix(text, [&](int64_t length, int32_t id) { prefixes.emplace_back(length, id); });
  return prefixes;
}

TEST(PieceTrie, FindsAllPrefixesShortestFirst) {
  const PieceTrie trie({{"ab", 4}, {"a", 7}, {"abcd", 0}, {"b", 2}, {"\xC3\xA4", 9}, {"\xFF", 1}});
  EXPECT_THAT(PrefixesOf(trie, "abcde"), ElementsAre(Pair(1, 7), Pair(2, 4), Pair(4, 0)));
  EXPECT_THAT(PrefixesOf(trie, "abc"), ElementsAre(Pair(1, 7), Pair(2, 4)));
  EXPECT_THAT(PrefixesOf(trie, "\xC3\xA4"), ElementsAre(Pair(2, 9)));
  EXPECT_THAT(PrefixesOf(trie, "\xFFz"), ElementsAre(Pair(1, 1)));
  EXPECT_THAT(PrefixesOf(trie, "\xC3"), ElementsAre());
  EXPECT_THAT(PrefixesOf(trie, ""), ElementsAre());
}

TEST(PieceTrie, FindsWholeEntriesOnly) {
  const PieceTrie trie({{"ab", 4}, {"abcd", 0}});
  EXPECT_EQ(trie.Find("ab"), 4);
  EXPECT_EQ(trie.Find("abcd"), 0);
  for (const char* text : {"", "a", "abc", "abcde", "b"}) EXPECT_EQ(trie.Find(text), -1) << text;
}

TEST(PieceTrie, OfEqualStringsTheLastCounts) {
  EXPECT_EQ(PieceTrie({{"a", 4}, {"b", 1}, {"a", 5}}).Find("a"), 5);
}

TEST(PieceTrie, MayBeEmpty) {
  const PieceTrie trie({});
  EXPECT_EQ(trie.Find("a"), -1);
  EXPECT_THAT(PrefixesOf(trie, "a"), ElementsAre());
}

}  // namespace
}  // namespace heed
