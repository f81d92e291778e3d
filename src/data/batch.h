// A packed batch of sentence pairs: what one micro-batch of training, validation or scoring needs.
#pragma once

#include <cstdint>
#include <vector>

#include "data/data_position.h"
#include "tensor/sequence_layout.h"

namespace heed {

// Stands in `target_inputs` for the decoder's start, which is not a token: the model puts a zero or
// a learned vector there.
inline constexpr int32_t kDecoderStartId = -1;

// Sentences are ordered by target length, longest first, then by source length, longest first; so
// the sentences that are still running at decoder step t are a prefix of the batch.
struct Batch {
  SequenceLayout source;               // with end marks: no length is 0
  SequenceLayout target;               // with end marks; same sentences, same order
  std::vector<int32_t> source_ids;     // [source tokens]; each sentence ends with the end mark
  std::vector<int32_t> target_inputs;  // [target tokens]; the labels shifted right by one
  std::vector<int32_t> target_labels;  // [target tokens]; each sentence ends with the end mark
  std::vector<int64_t> sentence_ids;   // [sentences]; PreparedData::Describe names file and line
  DataPosition after;                  // where to resume once this batch has been used

  int64_t num_sentences() const { return target.num_sentences(); }
  int64_t num_source_tokens() const { return source.num_tokens(); }
  int64_t num_target_tokens() const { return target.num_tokens(); }
};

}  // namespace heed
