#include "data/batch_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Lengths as real corpora have them: most short, a few long, up to 59 tokens without end mark.
std::vector<ShardEntry> RandomPairs(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&] { return static_cast<uint32_t>(generator()); };
  std::vector<ShardEntry> pairs(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t length = 1 + random() % (random() % 10 == 0 ? 55 : 20);
    pairs[i].source_tokens = length;
    pairs[i].target_tokens = std::min<uint32_t>(59, length + random() % 5);
    pairs[i].line = i + 1;
  }
  return pairs;
}

constexpr BatchLimits kLimits{.target_tokens = 100, .source_tokens = 120, .sentences = 16};
constexpr BatchLimits kOtherLimits{.target_tokens = 333, .source_tokens = 300, .sentences = 1000};

using Items = std::vector<uint32_t>;

Items NextItems(BatchPlanner* planner) {
  const auto batch = planner->Next();
  return {batch.begin(), batch.end()};
}

// Batches up to the end of the epoch.
std::vector<Items> RestOfEpoch(BatchPlanner* planner) {
  const int64_t epoch = planner->position().epoch;
  std::vector<Items> batches;
  do batches.push_back(NextItems(planner));
  while (planner->position().epoch == epoch);
  return batches;
}

Items Flat(const std::vector<Items>& batches) {
  Items all;
  for (const Items& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  return all;
}

Items Sorted(Items items) {
  std::sort(items.begin(), items.end());
  return items;
}

Items Range(uint32_t count) {
  Items items(count);
  for (uint32_t i = 0; i < count; ++i) items[i] = i;
  return items;
}

void ExpectWithinLimits(const Items& batch, const std::vector<ShardEntry>& pairs,
                        const BatchLimits& limits) {
  BatchLimits sum;
  for (const uint32_t item : batch) {
    sum.source_tokens += pairs[item].source_tokens + 1;
    sum.target_tokens += pairs[item].target_tokens + 1;
    ++sum.sentences;
  }
  EXPECT_GT(sum.sentences, 0);
  EXPECT_LE(sum.source_tokens, limits.source_tokens);
  EXPECT_LE(sum.target_tokens, limits.target_tokens);
  EXPECT_LE(sum.sentences, limits.sentences);
}

TEST(BatchPlanner, EverySentenceHasOneTurnPerEpochAndLimitsHold) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<ShardEntry> pairs = RandomPairs(1 + seed * 37, seed);
    for (const bool shuffle : {true, false}) {
      for (const BatchLimits& limits : {kLimits, kOtherLimits, BatchLimits{60, 60, 1}}) {
        BatchPlanner planner({{pairs}}, limits, shuffle, {.seed = seed});
        for (int64_t epoch = 1; epoch <= 3; ++epoch) {
          EXPECT_EQ(planner.position().epoch, epoch);
          EXPECT_EQ(planner.position().sentences(), 0);
          const std::vector<Items> batches = RestOfEpoch(&planner);
          EXPECT_EQ(Sorted(Flat(batches)), Range(static_cast<uint32_t>(pairs.size())));
          EXPECT_EQ(planner.epoch_sentences(), static_cast<int64_t>(pairs.size()));
          for (const Items& batch : batches) ExpectWithinLimits(batch, pairs, limits);
        }
      }
    }
  }
}

TEST(BatchPlanner, BatchesAreFullAndOfLikeLengths) {
  const std::vector<ShardEntry> pairs = RandomPairs(20000, 1);
  BatchPlanner planner({{pairs}}, {.target_tokens = 1000, .source_tokens = 1000, .sentences = 1000},
                       true, {});
  int64_t tokens = 0, slots = 0;
  const std::vector<Items> batches = RestOfEpoch(&planner);
  for (const Items& batch : batches) {
    uint32_t longest = 0;
    for (const uint32_t item : batch) {
      tokens += pairs[item].target_tokens + 1;
      longest = std::max(longest, pairs[item].target_tokens + 1);
    }
    slots += longest * static_cast<int64_t>(batch.size());
  }
  EXPECT_GT(static_cast<double>(tokens) / static_cast<double>(batches.size()), 965);  // of 1000
  EXPECT_GT(static_cast<double>(tokens) / static_cast<double>(slots), 0.85);
}

TEST(BatchPlanner, WithoutShufflingTheOrderIsThatOfTheCorpora) {
  const std::vector<ShardEntry> first = RandomPairs(30, 1), second = RandomPairs(20, 2);
  BatchPlanner planner({{first}, {second}}, kLimits, false, {});
  EXPECT_EQ(Flat(RestOfEpoch(&planner)), Range(50));
  EXPECT_EQ(Flat(RestOfEpoch(&planner)), Range(50));
}

TEST(BatchPlanner, TheOrderFollowsFromSeedAndEpoch) {
  const std::vector<ShardEntry> pairs = RandomPairs(500, 1);
  BatchPlanner one({{pairs}}, kLimits, true, {.seed = 1}),
      same({{pairs}}, kLimits, true, {.seed = 1}), other({{pairs}}, kLimits, true, {.seed = 2});
  const std::vector<Items> first_epoch = RestOfEpoch(&one), second_epoch = RestOfEpoch(&one);
  EXPECT_EQ(RestOfEpoch(&same), first_epoch);
  EXPECT_EQ(RestOfEpoch(&same), second_epoch);
  EXPECT_NE(first_epoch, second_epoch);
  EXPECT_NE(RestOfEpoch(&other), first_epoch);
  BatchPlanner from_second({{pairs}}, kLimits, true, {.seed = 1, .epoch = 2});
  EXPECT_EQ(RestOfEpoch(&from_second), second_epoch);
}

TEST(BatchPlanner, LongAndShortBatchesComeInRandomOrder) {
  const std::vector<ShardEntry> pairs = RandomPairs(5000, 1);
  BatchPlanner planner({{pairs}}, kLimits, true, {.seed = 1});
  double previous = 0;
  int64_t rises = 0;
  const std::vector<Items> batches = RestOfEpoch(&planner);
  for (const Items& batch : batches) {
    const double length = pairs[batch[0]].target_tokens;
    rises += length > previous ? 1 : 0;
    previous = length;
  }
  EXPECT_NEAR(static_cast<double>(rises) / static_cast<double>(batches.size()), 0.5, 0.1);
}

TEST(BatchPlanner, ResumingAnywhereContinuesExactly) {
  const std::vector<ShardEntry> first = RandomPairs(100, 1), second = RandomPairs(60, 2);
  const std::vector<BatchPlanner::Corpus> corpora = {{first, 1.5}, {second, 0.3}};
  for (const bool shuffle : {true, false}) {
    BatchPlanner uninterrupted(corpora, kLimits, shuffle, {.seed = 3});
    std::vector<DataPosition> positions = {uninterrupted.position()};
    std::vector<Items> batches;
    while (uninterrupted.position().epoch < 5) {
      batches.push_back(NextItems(&uninterrupted));
      positions.push_back(uninterrupted.position());
    }
    for (size_t i = 0; i < batches.size(); ++i) {
      BatchPlanner resumed(corpora, kLimits, shuffle, positions[i]);
      EXPECT_EQ(resumed.position(), positions[i]);
      for (size_t j = i; j < std::min(batches.size(), i + 4); ++j) {
        EXPECT_EQ(NextItems(&resumed), batches[j]);
        EXPECT_EQ(resumed.position(), positions[j + 1]);
      }
    }
  }
}

TEST(BatchPlanner, ChangedLimitsKeepTheEpochWhole) {
  const std::vector<ShardEntry> pairs = RandomPairs(600, 1);
  for (const bool shuffle : {true, false}) {
    for (const int stop : {1, 5, 12}) {
      DataPosition position{.seed = 9};
      Items seen;
      // Three runs take turns in one epoch: small, large and small batches again.
      for (const BatchLimits& limits : {kLimits, kOtherLimits, kLimits}) {
        BatchPlanner planner({{pairs}}, limits, shuffle, position);
        for (int i = 0; i < (limits == kLimits ? stop : 2); ++i) {
          const Items batch = NextItems(&planner);
          ExpectWithinLimits(batch, pairs, limits);
          seen.insert(seen.end(), batch.begin(), batch.end());
          EXPECT_EQ(planner.position().sentences(), static_cast<int64_t>(seen.size()));
        }
        position = planner.position();
      }
      EXPECT_EQ(position.segments.size(), 3U);
      // A fourth run resumes and finishes the epoch; a fifth resumes from the middle of that.
      BatchPlanner planner({{pairs}}, kLimits, shuffle, position);
      EXPECT_EQ(planner.position(), position);
      Items all = seen;
      for (const Items& batch : RestOfEpoch(&planner)) {
        ExpectWithinLimits(batch, pairs, kLimits);
        all.insert(all.end(), batch.begin(), batch.end());
      }
      EXPECT_EQ(Sorted(all), Range(600));
      EXPECT_EQ(planner.position(), (DataPosition{9, position.corpora, 2, {{kLimits, 0}}}));
    }
  }
}

TEST(BatchPlanner, ChangedLimitsBeforeTheFirstBatchLeaveNoTrace) {
  const std::vector<ShardEntry> pairs = RandomPairs(50, 1);
  BatchPlanner planner({{pairs}}, kOtherLimits, true,
                       {.seed = 1, .epoch = 2, .segments = {{kLimits, 0}}});
  EXPECT_EQ(planner.position(),
            (DataPosition{1, planner.position().corpora, 2, {{kOtherLimits, 0}}}));
}

TEST(BatchPlanner, WeightsGiveTurns) {
  const std::vector<ShardEntry> thrice = RandomPairs(40, 1), rarely = RandomPairs(101, 2),
                                often = RandomPairs(70, 3);
  BatchPlanner planner({{thrice, 3}, {rarely, 0.25}, {often, 1.6}}, kLimits, true, {.seed = 1});
  std::map<std::pair<int64_t, int64_t>, int64_t> turns;
  for (int64_t epoch = 1; epoch <= 40; ++epoch) {
    std::map<int64_t, int64_t> sizes;
    for (const uint32_t item : Flat(RestOfEpoch(&planner))) {
      const PlannedSentence sentence = planner.Resolve(item);
      ++turns[{sentence.corpus, sentence.index}];
      ++sizes[sentence.corpus];
    }
    EXPECT_EQ(sizes[0], 120);
    EXPECT_NEAR(static_cast<double>(sizes[1]), 101 * 0.25, 3);
    EXPECT_NEAR(static_cast<double>(sizes[2]), 70 * 1.6, 3);
    const std::pair<const std::vector<ShardEntry>*, double> corpora[] = {
        {&thrice, 3}, {&rarely, 0.25}, {&often, 1.6}};
    for (int64_t corpus = 0; corpus < 3; ++corpus) {
      for (int64_t i = 0; i < static_cast<int64_t>(corpora[corpus].first->size()); ++i) {
        const double expected = static_cast<double>(epoch) * corpora[corpus].second;
        const auto had = static_cast<double>(turns[{corpus, i}]);
        EXPECT_GE(had, std::floor(expected - 1e-9));
        EXPECT_LE(had, std::floor(expected) + 1);
      }
    }
  }
}

TEST(BatchPlanner, TurnsOfASentenceAreNumbered) {
  const std::vector<ShardEntry> pairs = RandomPairs(10, 1);
  BatchPlanner planner({{pairs, 0.5}, {pairs, 2.5}}, kLimits, true, {});
  std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> turns;
  for (const uint32_t item : Flat(RestOfEpoch(&planner))) {
    const PlannedSentence sentence = planner.Resolve(item);
    turns[{sentence.corpus, sentence.index}].push_back(sentence.turn);
  }
  for (auto& [sentence, numbers] : turns) {
    std::sort(numbers.begin(), numbers.end());
    for (size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<int64_t>(i));
    EXPECT_GE(numbers.size(), sentence.first == 0 ? 1U : 2U);
  }
  EXPECT_THROW(planner.Resolve(40), InternalError);
}

TEST(BatchPlanner, HalfWeightShowsTheOtherHalfNext) {
  const std::vector<ShardEntry> pairs = RandomPairs(100, 1);
  BatchPlanner planner({{pairs, 0.5}}, kLimits, true, {});
  Items both = Flat(RestOfEpoch(&planner));
  EXPECT_NEAR(static_cast<double>(both.size()), 50, 1);
  const Items other = Flat(RestOfEpoch(&planner));
  both.insert(both.end(), other.begin(), other.end());
  EXPECT_EQ(Sorted(both), Range(100));
}

TEST(BatchPlanner, EpochsWithoutASentenceAreLeftOut) {
  const std::vector<ShardEntry> pairs = RandomPairs(3, 1);
  BatchPlanner planner({{pairs, 0.335}}, kLimits, true, {});
  std::map<uint32_t, int64_t> turns;
  int64_t epoch = 0;
  for (int i = 0; i < 30; ++i) {
    for (const uint32_t item : planner.Next()) ++turns[item];
    EXPECT_GT(planner.epoch(), epoch);
    epoch = planner.epoch();
  }
  EXPECT_GT(epoch, 30);  // some epochs were empty
  EXPECT_EQ(turns.size(), 3U);
}

std::string ErrorOf(const std::vector<BatchPlanner::Corpus>& corpora, const DataPosition& start) {
  try {
    const BatchPlanner planner(corpora, kLimits, true, start);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BatchPlanner, APositionOfOtherDataIsAUserError) {
  const std::vector<ShardEntry> pairs = RandomPairs(100, 1), other = RandomPairs(100, 2),
                                few = RandomPairs(10, 3);
  BatchPlanner planner({{pairs}}, kLimits, true, {.seed = 1});
  for (int i = 0; i < 4; ++i) planner.Next();
  EXPECT_EQ(ErrorOf({{pairs}}, planner.position()), "no error");
  EXPECT_THAT(ErrorOf({{other}}, planner.position()), HasSubstr("does not fit the corpora"));
  EXPECT_THAT(ErrorOf({{few}}, planner.position()), HasSubstr("does not fit the corpora"));
  EXPECT_THAT(ErrorOf({{pairs, 2}}, planner.position()), HasSubstr("does not fit the corpora"));
  RestOfEpoch(&planner);
  EXPECT_EQ(ErrorOf({{other}}, planner.position()), "no error");
}

TEST(BatchPlanner, NoSentencesAndTooLongOnesAreUserErrors) {
  EXPECT_THAT(ErrorOf({}, {}), HasSubstr("no training sentence is left"));
  const std::vector<ShardEntry> none, one = RandomPairs(1, 1);
  EXPECT_THAT(ErrorOf({{none}}, {}), HasSubstr("no training sentence is left"));
  EXPECT_THAT(ErrorOf({{one, 0.4}}, {}), HasSubstr("no training sentence is left"));
  std::vector<ShardEntry> long_target = RandomPairs(5, 1);
  long_target[3].target_tokens = 99;  // 100 with the end mark
  EXPECT_EQ(ErrorOf({{long_target}}, {}), "no error");
  long_target[3].target_tokens = 100;
  EXPECT_THAT(ErrorOf({{long_target}}, {}), HasSubstr("101 target tokens (line 4) does not fit"));
  std::vector<ShardEntry> long_source = RandomPairs(5, 1);
  long_source[0].source_tokens = 120;
  EXPECT_THAT(ErrorOf({{long_source}}, {}), HasSubstr("121 source"));
}

}  // namespace
}  // namespace heed
