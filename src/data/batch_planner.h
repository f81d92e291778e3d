// Which sentences make up which batch, for ever: epoch after epoch, in an order that follows from
// (seed, epoch) and the limits alone.
//
// An epoch gives each sentence of a corpus of weight 1 one turn. Weight 2 gives two; weight 0.5
// gives every second sentence a turn and the others theirs in the next epoch: after e epochs,
// whatever e, a sentence of weight w has had floor(e * w) or floor(e * w) + 1 turns.
//
// With shuffling, the sentences of an epoch are put into random order, sorted by bucket of length
// (of the longer side; eight buckets per doubling), cut into batches as full as the limits allow,
// and the batches are put into random order. Nothing is dropped: the last batch of the longest
// bucket may be small. Without shuffling, batches are cut from the corpora as they stand.
//
// A position counts sentences and names the limits under which they were taken, so a run that
// resumes with other limits still sees each sentence of the epoch exactly once. Memory: 8 bytes per
// sentence of an epoch while it is being ordered, then 4. Non-goal: reading the sentences; see
// batch_builder.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/data_position.h"
#include "data/token_shard.h"

namespace heed {

// One turn of a sentence.
struct PlannedSentence {
  int64_t corpus = 0;
  int64_t index = 0;  // in its corpus
  int64_t turn = 0;   // of this sentence within the epoch, from 0
};

class BatchPlanner {
 public:
  struct Corpus {
    std::span<const ShardEntry> pairs;
    double weight = 1;
  };

  // Throws UserError if the corpora hold no sentence, if one sentence alone breaks `limits`, or if
  // `start` is inside an epoch of other corpora. (At the start of an epoch, they may change.)
  BatchPlanner(std::vector<Corpus> corpora, const BatchLimits& limits, bool shuffle,
               const DataPosition& start);

  // The next batch, valid until the next call. Moves position() behind it.
  std::span<const uint32_t> Next();
  // What an element of a batch stands for.
  PlannedSentence Resolve(uint32_t item) const;

  // Behind the batch given last; after the last batch of an epoch, at the start of the next one.
  const DataPosition& position() const { return position_; }
  // Of the batch given last.
  int64_t epoch() const { return epoch_; }
  // Turns in the epoch of the batch given last.
  int64_t epoch_sentences() const { return static_cast<int64_t>(items_.size()); }

 private:
  // A batch: items_[begin, end).
  struct Range {
    uint32_t begin = 0, end = 0;
  };

  void NumberItems();
  void CheckLengths() const;
  uint64_t HashCorpora() const;
  void StartEpoch();
  void AddTurns(size_t corpus);
  void Shuffle();
  void SortByLength();
  void CutBatches(size_t begin, const BatchLimits& limits, uint32_t segment);
  void Replay(const DataPosition& start);
  void Take(const DataPosition::Segment& segment);
  void MoveTakenToFront(size_t begin);
  const ShardEntry& EntryOf(uint32_t item) const;

  std::vector<Corpus> corpora_;
  std::vector<uint32_t> first_items_;  // [corpora + 1]; a corpus has as many items as turns
  BatchLimits limits_;
  bool shuffle_;
  DataPosition position_;
  int64_t epoch_ = 0;
  std::vector<uint32_t> items_;  // of the epoch
  std::vector<Range> batches_;   // since the limits last changed, in the order of their turn
  size_t next_batch_ = 0;
};

}  // namespace heed
