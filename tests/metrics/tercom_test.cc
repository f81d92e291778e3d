#include "metrics/tercom.h"

#include <gtest/gtest.h>

#include <vector>

namespace heed {
namespace {

using Words = std::vector<uint32_t>;

int64_t Edits(const Words& hypothesis, const Words& reference) {
  return CountTranslationEdits(hypothesis, reference);
}

TEST(Tercom, EqualSentencesNeedNoEdit) {
  EXPECT_EQ(Edits({1, 2, 3}, {1, 2, 3}), 0);
}

TEST(Tercom, EmptySides) {
  EXPECT_EQ(Edits({}, {}), 0);
  EXPECT_EQ(Edits({}, {1, 2}), 2);
  EXPECT_EQ(Edits({1, 2, 3}, {}), 3);
}

TEST(Tercom, MovingABlockIsOneEdit) {
  EXPECT_EQ(Edits({1, 2, 3, 4}, {2, 3, 4, 1}), 1);              // forward
  EXPECT_EQ(Edits({4, 5, 6, 1, 2, 3}, {1, 2, 3, 4, 5, 6}), 1);  // three words at once
  EXPECT_EQ(Edits({9, 1, 2, 3}, {1, 2, 3, 8}), 2);              // delete and insert: no shift helps
}

TEST(Tercom, ShiftsAndOtherEditsAddUp) {
  // Move 1 to the end, then 9 -> 5.
  EXPECT_EQ(Edits({1, 2, 3, 4, 9}, {2, 3, 4, 5, 1}), 2);
}

TEST(Tercom, BlocksOfMoreThanTenWordsNeedTwoShifts) {
  Words ten_first;
  Words eleven_first;
  const Words tail = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111};
  for (uint32_t i = 0; i < 11; ++i) {
    eleven_first.push_back(i);
    if (i < 10) {
      ten_first.push_back(i);
    }
  }
  const auto swapped_edits = [&tail](Words block) {
    Words reference = tail;
    reference.insert(reference.end(), block.begin(), block.end());
    block.insert(block.end(), tail.begin(), tail.end());
    return Edits(block, reference);
  };
  EXPECT_EQ(swapped_edits(ten_first), 1);
  EXPECT_EQ(swapped_edits(eleven_first), 2);
}

TEST(Tercom, WordsAreNotMovedFurtherThanFiftyPlaces) {
  const auto moved_to_end = [](uint32_t length) {
    Words hypothesis;
    Words reference;
    for (uint32_t i = 0; i < length; ++i) {
      hypothesis.push_back(i);
      reference.push_back((i + 1) % length);
    }
    return Edits(hypothesis, reference);
  };
  EXPECT_EQ(moved_to_end(51), 1);
  EXPECT_EQ(moved_to_end(52), 2);  // 51 places: deleted here, inserted there
}

// 60 different words in reverse order: the search is cut off after 1,000 tries, or it would find
// ever more shifts. The figure is sacreBLEU's.
TEST(Tercom, SearchStopsAfterAThousandTries) {
  Words hypothesis;
  Words reference;
  for (uint32_t i = 0; i < 60; ++i) {
    hypothesis.push_back(i);
    reference.push_back(59 - i);
  }
  EXPECT_EQ(Edits(hypothesis, reference), 59);
}

}  // namespace
}  // namespace heed
