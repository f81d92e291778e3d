#include "metrics/edit_distance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<uint32_t>;

// The textbook recurrence without a band.
int64_t FullDistance(const Words& a, const Words& b) {
  std::vector<int64_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = static_cast<int64_t>(j);
  }
  for (const uint32_t word : a) {
    int64_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const int64_t cost = diagonal + (word == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({cost, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

Words RandomWords(int64_t length, std::mt19937* random) {
  Words words(static_cast<size_t>(length));
  std::generate(words.begin(), words.end(), [&] { return (*random)() % 4; });
  return words;
}

TEST(EditDistance, CountsEachKindOfEdit) {
  const Words reference = {1, 2, 3};
  BeamEditDistance distance(reference, 3);
  EXPECT_EQ(distance.Compute(Words{1, 2, 3}), 0);
  EXPECT_EQ(distance.Compute(Words{1, 9, 3}), 1);
  EXPECT_THAT(distance.Trace(), ElementsAre(EditOp::kKeep, EditOp::kSubstitute, EditOp::kKeep));
  EXPECT_EQ(distance.Compute(Words{2, 3, 9}), 2);
  EXPECT_THAT(distance.Trace(),
              ElementsAre(EditOp::kInsert, EditOp::kKeep, EditOp::kKeep, EditOp::kDelete));
}

TEST(EditDistance, EmptyHypothesisInsertsEverything) {
  const Words reference = {1, 2};
  BeamEditDistance distance(reference, 0);
  EXPECT_EQ(distance.Compute({}), 2);
  EXPECT_THAT(distance.Trace(), ElementsAre(EditOp::kInsert, EditOp::kInsert));
}

TEST(EditDistance, EmptyReferenceDeletesEverything) {
  BeamEditDistance distance({}, 2);
  EXPECT_EQ(distance.Compute(Words{1, 2}), 2);
  EXPECT_THAT(distance.Trace(), ElementsAre(EditOp::kDelete, EditOp::kDelete));
  BeamEditDistance nothing({}, 0);
  EXPECT_EQ(nothing.Compute({}), 0);
  EXPECT_THAT(nothing.Trace(), IsEmpty());
}

TEST(EditDistance, EqualsTheFullRecurrenceInsideTheBand) {
  std::mt19937 random(3);
  for (int64_t trial = 0; trial < 200; ++trial) {
    const int64_t length = trial % 20;
    const Words reference = RandomWords((trial * 7) % 23, &random);
    BeamEditDistance distance(reference, length);
    for (int64_t repeat = 0; repeat < 3; ++repeat) {  // also after other hypotheses
      const Words hypothesis = RandomWords(length, &random);
      EXPECT_EQ(distance.Compute(hypothesis), FullDistance(hypothesis, reference));
      const std::vector<EditOp> trace = distance.Trace();
      EXPECT_EQ(
          std::count(trace.begin(), trace.end(), EditOp::kKeep) + distance.Compute(hypothesis),
          std::ssize(trace));
    }
  }
}

TEST(EditDistance, TheBandHidesFarMatches) {
  Words reference(200);
  Words hypothesis(200);
  for (uint32_t i = 0; i < 200; ++i) {
    reference[i] = i;
    hypothesis[i] = (i + 100) % 200;  // every word 100 places off
  }
  BeamEditDistance distance(reference, 200);
  EXPECT_EQ(FullDistance(hypothesis, reference), 200);
  EXPECT_EQ(distance.Compute(hypothesis), 200);
  Words shifted(200);
  for (uint32_t i = 0; i < 200; ++i) {
    shifted[i] = i + 40;  // 160 words in common, 40 places off: beyond the 25 of the band
  }
  EXPECT_EQ(FullDistance(shifted, reference), 80);
  EXPECT_EQ(distance.Compute(shifted), 200);
}

TEST(EditDistance, TheBandWidensForVeryUnequalLengths) {
  Words reference(300, 5);
  reference[150] = 6;
  BeamEditDistance distance(reference, 2);
  EXPECT_EQ(distance.Compute(Words{6, 7}), 299);
}

TEST(EditDistance, HypothesisOfAnotherLengthIsRejected) {
  const Words reference = {1};
  BeamEditDistance distance(reference, 2);
  EXPECT_THROW(distance.Compute(Words{1}), InternalError);
}

}  // namespace
}  // namespace heed
