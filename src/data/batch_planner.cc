#include "data/batch_planner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "util/check.h"
#include "util/checksum.h"
#include "util/philox.h"

namespace heed {
namespace {

// Numbers of random streams, beside (seed, epoch).
constexpr uint32_t kSentenceOrder = 0, kBatchOrder = 1;  // the latter plus the segment

__extension__ using Uint128 = unsigned __int128;

constexpr size_t kNumBuckets = 256;

// Lengths below 16 have a bucket each; from there on, eight buckets make a doubling.
size_t BucketOf(const ShardEntry& pair) {
  const uint32_t length = std::max(pair.source_tokens, pair.target_tokens);
  if (length < 16) return length;
  const auto exponent = static_cast<uint32_t>(std::bit_width(length) - 1);
  return 16 + (exponent - 4) * 8 + ((length >> (exponent - 3)) & 7);
}

// Fisher and Yates, as Durstenfeld (1964) gives it.
template <class Value>
void ShuffleWith(const RandomStream& stream, std::vector<Value>* values) {
  for (uint64_t i = values->size(); i > 1; --i) {
    const uint64_t bits = uint64_t{RandomBits(stream, 2 * i)} << 32 | RandomBits(stream, 2 * i + 1);
    const auto chosen = static_cast<uint64_t>((Uint128{bits} * i) >> 64);
    std::swap((*values)[i - 1], (*values)[chosen]);
  }
}

[[noreturn]] void ThrowChanged() {
  ThrowUserError(
      "the position in the data does not fit the corpora: they, their weights or filters have "
      "changed since the checkpoint was written; start a new run, or restore the old data");
}

}  // namespace

BatchPlanner::BatchPlanner(std::vector<Corpus> corpora, const BatchLimits& limits, bool shuffle,
                           const DataPosition& start)
    : corpora_(std::move(corpora)), limits_(limits), shuffle_(shuffle) {
  NumberItems();
  CheckLengths();
  Replay(start);
}

void BatchPlanner::NumberItems() {
  int64_t total = 0;
  double turns_per_epoch = 0;
  first_items_.push_back(0);
  for (const Corpus& corpus : corpora_) {
    HEED_CHECK(corpus.weight > 0, "a corpus of weight {}", corpus.weight);
    const auto size = static_cast<double>(corpus.pairs.size());
    turns_per_epoch += size * corpus.weight;
    total += static_cast<int64_t>(size * std::ceil(corpus.weight));
    if (total > UINT32_MAX) {
      ThrowUserError("an epoch of over 2^32 sentences; lower the weights in data.train");
    }
    first_items_.push_back(static_cast<uint32_t>(total));
  }
  if (turns_per_epoch < 1) {
    ThrowUserError(
        "no training sentence is left; check the corpora, their weights and data.filters");
  }
}

void BatchPlanner::CheckLengths() const {
  HEED_CHECK(limits_.sentences > 0, "batches of {} sentences", limits_.sentences);
  for (const Corpus& corpus : corpora_) {
    for (const ShardEntry& pair : corpus.pairs) {
      if (pair.target_tokens < limits_.target_tokens &&
          pair.source_tokens < limits_.source_tokens) {
        continue;
      }
      ThrowUserError(
          "a sentence of {} source and {} target tokens (line {}) does not fit into a batch of at "
          "most {} source and {} target tokens: raise training.batch_tokens or lower "
          "data.filters.max_length",
          pair.source_tokens + 1, pair.target_tokens + 1, pair.line, limits_.source_tokens,
          limits_.target_tokens);
    }
  }
}

// Of all lengths, in order, and the weights: what the plan depends on.
uint64_t BatchPlanner::HashCorpora() const {
  uint64_t hash = kFnv1aStart;
  const auto add = [&](uint64_t value) {
    hash = (hash ^ value) * uint64_t{0x9E3779B97F4A7C15};
    hash ^= hash >> 32;
  };
  for (const Corpus& corpus : corpora_) {
    add(corpus.pairs.size());
    add(std::bit_cast<uint64_t>(corpus.weight));
    for (const ShardEntry& pair : corpus.pairs) {
      add(uint64_t{pair.source_tokens} << 32 | pair.target_tokens);
    }
  }
  return hash;
}

PlannedSentence BatchPlanner::Resolve(uint32_t item) const {
  HEED_CHECK(item < first_items_.back(), "item {} of {}", item, first_items_.back());
  const auto after = std::upper_bound(first_items_.begin(), first_items_.end(), item);
  const auto corpus = static_cast<size_t>(after - first_items_.begin()) - 1;
  const int64_t number = item - first_items_[corpus];
  const auto size = static_cast<int64_t>(corpora_[corpus].pairs.size());
  return {static_cast<int64_t>(corpus), number % size, number / size};
}

const ShardEntry& BatchPlanner::EntryOf(uint32_t item) const {
  const PlannedSentence sentence = Resolve(item);
  return corpora_[static_cast<size_t>(sentence.corpus)].pairs[static_cast<size_t>(sentence.index)];
}

// Fills items_ for the epoch of position_, or for the first one after it that has a sentence.
void BatchPlanner::StartEpoch() {
  items_.clear();
  while (true) {
    for (size_t corpus = 0; corpus < corpora_.size(); ++corpus) AddTurns(corpus);
    if (!items_.empty()) break;
    ++position_.epoch;
  }
  if (!shuffle_) return;
  Shuffle();
  SortByLength();
}

void BatchPlanner::AddTurns(size_t corpus) {
  const auto size = static_cast<uint32_t>(corpora_[corpus].pairs.size());
  const uint32_t first = first_items_[corpus];
  const double whole = std::floor(corpora_[corpus].weight);
  const auto whole_items = static_cast<uint32_t>(size * whole);
  for (uint32_t i = 0; i < whole_items; ++i) items_.push_back(first + i);
  // The rest of the weight adds up from epoch to epoch, in units of 2^-64; a sentence has its turn
  // when its sum passes a whole number. The sums start at multiples of the golden ratio, which
  // spread evenly, so that each epoch has its share of sentences.
  const auto step = static_cast<uint64_t>(std::ldexp(corpora_[corpus].weight - whole, 64));
  if (step == 0) return;
  const uint64_t epochs_before = static_cast<uint64_t>(position_.epoch - 1) * step;
  for (uint32_t i = 0; i < size; ++i) {
    const uint64_t sum = i * uint64_t{0x9E3779B97F4A7C15} + epochs_before;
    if (sum >= -step) items_.push_back(first + whole_items + i);
  }
}

void BatchPlanner::Shuffle() {
  ShuffleWith({position_.seed, static_cast<uint32_t>(position_.epoch), kSentenceOrder}, &items_);
}

// A stable counting sort.
void BatchPlanner::SortByLength() {
  std::array<size_t, kNumBuckets + 1> starts{};
  for (const uint32_t item : items_) ++starts[BucketOf(EntryOf(item)) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<uint32_t> sorted(items_.size());
  for (const uint32_t item : items_) sorted[starts[BucketOf(EntryOf(item))]++] = item;
  items_ = std::move(sorted);
}

void BatchPlanner::CutBatches(size_t begin, const BatchLimits& limits, uint32_t segment) {
  batches_.clear();
  next_batch_ = 0;
  int64_t source_tokens = 0, target_tokens = 0;
  Range batch{static_cast<uint32_t>(begin), static_cast<uint32_t>(begin)};
  for (; batch.end < items_.size(); ++batch.end) {
    const ShardEntry& pair = EntryOf(items_[batch.end]);
    source_tokens += pair.source_tokens + 1;
    target_tokens += pair.target_tokens + 1;
    const bool fits = source_tokens <= limits.source_tokens &&
                      target_tokens <= limits.target_tokens &&
                      batch.end - batch.begin < limits.sentences;
    if (fits) continue;
    batches_.push_back(batch);
    batch.begin = batch.end;
    source_tokens = pair.source_tokens + 1;
    target_tokens = pair.target_tokens + 1;
  }
  if (batch.begin < batch.end) batches_.push_back(batch);
  if (shuffle_) {
    ShuffleWith({position_.seed, static_cast<uint32_t>(position_.epoch), kBatchOrder + segment},
                &batches_);
  }
}

// Goes through the epoch as earlier runs did, with the limits they had.
void BatchPlanner::Replay(const DataPosition& start) {
  position_ = {start.seed, HashCorpora(), start.epoch, {}};
  if (start.sentences() > 0 && start.corpora != position_.corpora) ThrowChanged();
  StartEpoch();
  size_t begin = 0;
  for (const DataPosition::Segment& segment : start.segments) {
    if (segment.sentences == 0) continue;
    CutBatches(begin, segment.limits, static_cast<uint32_t>(position_.segments.size()));
    Take(segment);
    position_.segments.push_back(segment);
    if (segment.limits == limits_ && segment == start.segments.back()) return;
    MoveTakenToFront(begin);
    begin += static_cast<size_t>(segment.sentences);
  }
  CutBatches(begin, limits_, static_cast<uint32_t>(position_.segments.size()));
  position_.segments.push_back({limits_, 0});
}

void BatchPlanner::Take(const DataPosition::Segment& segment) {
  int64_t taken = 0;
  while (taken < segment.sentences && next_batch_ < batches_.size()) {
    taken += batches_[next_batch_].end - batches_[next_batch_].begin;
    ++next_batch_;
  }
  if (taken != segment.sentences) ThrowChanged();
}

// What is left keeps its order.
void BatchPlanner::MoveTakenToFront(size_t begin) {
  std::vector<uint32_t> moved(items_.begin(), items_.begin() + static_cast<int64_t>(begin));
  moved.reserve(items_.size());
  const auto append = [&](const Range& batch) {
    moved.insert(moved.end(), items_.begin() + batch.begin, items_.begin() + batch.end);
  };
  const auto left = batches_.begin() + static_cast<int64_t>(next_batch_);
  std::for_each(batches_.begin(), left, append);
  std::sort(left, batches_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::for_each(left, batches_.end(), append);
  items_ = std::move(moved);
}

std::span<const uint32_t> BatchPlanner::Next() {
  if (next_batch_ == batches_.size()) {
    StartEpoch();
    CutBatches(0, limits_, 0);
  }
  epoch_ = position_.epoch;
  const Range batch = batches_[next_batch_++];
  position_.segments.back().sentences += batch.end - batch.begin;
  if (next_batch_ == batches_.size()) {
    ++position_.epoch;
    position_.segments = {{limits_, 0}};
  }
  return std::span(items_).subspan(batch.begin, batch.end - batch.begin);
}

}  // namespace heed
