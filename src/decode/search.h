// Beam search and sampling over a batch of source sentences, with one model or an ensemble.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/decoding_options.h"
#include "decode/hypothesis.h"
#include "models/seq2seq_model.h"

namespace heed {

struct SearchVocabulary {
  int32_t end_id = 0;
  int32_t unknown_id = 1;
  std::vector<int32_t> forbidden;  // never produced, for instance pieces that hold a newline
};

struct SearchBatch {
  std::span<const int32_t> source_ids;  // every sentence ends with the end mark
  const SequenceLayout* sources = nullptr;
  std::vector<std::vector<int32_t>> prefixes;  // forced first tokens of each sentence; empty = none
  std::vector<int64_t> sentence_numbers;  // names each sentence's random numbers; needed to sample
};

// What all models can take, source or target, in tokens with end mark; 0 = any length.
int64_t MaxModelLength(std::span<const Seq2SeqModel* const> models);

class Search {
 public:
  // The models share backend and vocabularies; an ensemble averages their probabilities. All
  // references must outlive the search. Throws UserError on options that contradict each other.
  Search(const DecodingOptions& options, uint64_t seed, SearchVocabulary vocabulary,
         std::vector<const Seq2SeqModel*> models);

  // The translations of each sentence, best first (samples: as drawn), at least one and at most
  // n_best. A translation depends on its own source, prefix and number only: not on the batch, on
  // n_best or on threads.
  std::vector<std::vector<Hypothesis>> Run(Context& ctx, const SearchBatch& batch) const;

  // MaxModelLength of the models. Sources and prefixes must respect it; the translations do.
  int64_t max_model_length() const { return max_model_length_; }

 private:
  DecodingOptions options_;
  uint64_t seed_;
  SearchVocabulary vocabulary_;
  std::vector<const Seq2SeqModel*> models_;
  int64_t max_model_length_;
};

}  // namespace heed
