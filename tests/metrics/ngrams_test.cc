#include "metrics/ngrams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ngrams, EachOrderIsCounted) {
  NgramIndex index(3);
  const std::vector<uint32_t> symbols = {7, 7, 7, 9};
  const NgramCounts counts = index.Count(symbols);
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_THAT(counts[0], ElementsAre(3, 1));  // 7 9
  EXPECT_THAT(counts[1], ElementsAre(2, 1));  // 77 79
  EXPECT_THAT(counts[2], ElementsAre(1, 1));  // 777 779
}

TEST(Ngrams, EqualNgramsOfTwoSequencesShareAnId) {
  NgramIndex index(2);
  const std::vector<uint32_t> first = {1, 2, 3};
  const std::vector<uint32_t> second = {4, 2, 3};
  const NgramCounts a = index.Count(first);
  const NgramCounts b = index.Count(second);
  EXPECT_EQ(MatchCount(a[0], b[0]), 2);
  EXPECT_EQ(MatchCount(a[1], b[1]), 1);
}

TEST(Ngrams, NgramsWithEqualEndsDiffer) {
  NgramIndex index(3);
  const std::vector<uint32_t> first = {1, 2, 3};
  const std::vector<uint32_t> second = {1, 5, 3};
  EXPECT_EQ(MatchCount(index.Count(first)[2], index.Count(second)[2]), 0);
}

TEST(Ngrams, SequencesShorterThanTheOrderHaveNone) {
  NgramIndex index(4);
  EXPECT_THAT(index.Count({})[0], IsEmpty());
  const std::vector<uint32_t> one = {5};
  EXPECT_THAT(index.Count(one), ElementsAre(ElementsAre(1), IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(Ngrams, WordsAreNumberedByEquality) {
  WordIndex words;
  EXPECT_THAT(words.Number({U"a", U"b", U"a"}), ElementsAre(0, 1, 0));
  EXPECT_THAT(words.Number({U"c", U"b"}), ElementsAre(2, 1));
}

TEST(Ngrams, CountsCombine) {
  EXPECT_EQ(TotalCount({2, 0, 5}), 7);
  EXPECT_EQ(MatchCount({2, 1, 4}, {1, 3}), 2);
  std::vector<int64_t> merged = {1, 5};
  MergeMaximum({2, 3, 1}, &merged);
  EXPECT_THAT(merged, ElementsAre(2, 5, 1));
}

}  // namespace
}  // namespace heed
