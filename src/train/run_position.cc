#include "train/run_position.h"

namespace heed {

DataPosition ToDataPosition(const RunState& state) {
  DataPosition position;
  position.seed = state.data_seed;
  position.corpora = state.data_corpora;
  position.epoch = state.epoch + 1;
  for (const DataSegmentRecord& segment : state.data_segments) {
    position.segments.push_back(
        {{segment.target_tokens, segment.source_tokens, segment.batch_sentences},
         segment.sentences});
  }
  return position;
}

void StorePosition(const DataPosition& position, RunState* state) {
  state->epoch = position.epoch - 1;
  state->sentences_in_epoch = position.sentences();
  state->data_seed = position.seed;
  state->data_corpora = position.corpora;
  state->data_segments.clear();
  for (const DataPosition::Segment& segment : position.segments) {
    state->data_segments.push_back({segment.limits.target_tokens, segment.limits.source_tokens,
                                    segment.limits.sentences, segment.sentences});
  }
}

}  // namespace heed
