// The endless stream of training batches of a recipe: planned, built and prefetched.
#pragma once

#include <cstdint>
#include <memory>

#include "config/recipe.h"
#include "data/batch.h"
#include "data/batch_builder.h"
#include "data/batch_planner.h"
#include "data/prefetcher.h"
#include "data/prepare_data.h"

namespace heed {

// Where a new run starts.
DataPosition FirstPosition(const Recipe& recipe);

// What no training batch exceeds: training.batch_tokens target tokens; source tokens in proportion
// to the data, and a tenth more for chance; training.batch_sentences.
BatchLimits TrainingLimits(const Recipe& recipe, const PreparedData& data);

// The limits by which batches are planned: those above, less the growth to expect if segmentations
// are sampled, which is measured on up to 2000 pairs.
BatchLimits PlanningLimits(const Recipe& recipe, const PreparedData& data);

class BatchStream {
 public:
  // `start_id` is the model's start_token(). `recipe` and `data` must outlive the stream. Throws
  // UserError if `start` does not fit the data.
  BatchStream(const Recipe& recipe, const PreparedData& data, int32_t start_id,
              const DataPosition& start);

  // The next batch, valid until the next call. Its `after` is what a checkpoint must hold once the
  // batch has been used.
  const Batch& Next();

 private:
  bool Produce(Batch* batch);

  BatchPlanner planner_;
  BatchBuilder builder_;
  std::vector<PlannedSentence> sentences_;  // scratch
  Batch batch_;
  Prefetcher prefetcher_;  // last: its thread uses what stands above
};

}  // namespace heed
