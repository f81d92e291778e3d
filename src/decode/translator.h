// Text to text: tokenize, batch by length, search, put lines back in order, detokenize.
//
// As many translations come out as lines go in, in the same order. A blank line gives an empty
// translation; of a line longer than decoding.max_source_length the beginning is translated, with a
// warning; no line fails.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decode/search.h"
#include "decode/source_encoder.h"
#include "text/tokenizer.h"

namespace heed {

// One model or an ensemble, with its vocabularies. All must outlive the translator.
struct TranslationSystem {
  std::vector<const Seq2SeqModel*> models;
  const Tokenizer* source = nullptr;
  const Tokenizer* target = nullptr;
};

struct Translation {
  std::string text;
  double score = 0;                             // with length penalty
  double log_probability = 0;                   // nats
  std::vector<int32_t> tokens;                  // without the end mark
  std::vector<double> token_log_probabilities;  // with the end mark's
};

struct TranslationStatistics {
  int64_t lines = 0;
  int64_t blank_lines = 0;
  int64_t cut_lines = 0;      // longer than allowed
  int64_t ended_lines = 0;    // whose best translation was ended at the longest length allowed
  int64_t target_tokens = 0;  // of the best translations, end marks included
  double seconds = 0;
};

class Translator {
 public:
  // The backend must outlive the translator.
  Translator(TranslationSystem system, const DecodingOptions& options, uint64_t seed,
             Backend& backend);

  // Asks `is_interrupted` before each batch; once it says so, lines stay untranslated (empty).
  void SetInterrupt(std::function<bool()> is_interrupted) {
    is_interrupted_ = std::move(is_interrupted);
  }

  // Up to n_best translations of each line, at least one. `prefixes`, if given, are texts with
  // which the translations must begin, as far as the model can. Lines are numbered on from call to
  // call; samples depend on that.
  std::vector<std::vector<Translation>> Translate(std::span<const std::string> lines,
                                                  std::span<const std::string> prefixes = {});
  // The best translation of each line only.
  std::vector<std::string> TranslateBest(std::span<const std::string> lines);

  const TranslationStatistics& statistics() const { return statistics_; }

 private:
  struct Line {
    size_t index;              // among the lines of the call
    std::vector<int32_t> ids;  // with end mark
  };
  std::vector<Line> Encode(std::span<const std::string> lines);
  std::vector<int32_t> EncodePrefix(const std::string& prefix) const;
  void TranslateBatch(std::span<const Line> batch, std::span<const std::string> prefixes,
                      std::vector<std::vector<Translation>>& result);
  Translation Decode(const Hypothesis& hypothesis) const;

  TranslationSystem system_;
  DecodingOptions options_;
  Backend& backend_;
  Search search_;
  SourceEncoder sources_;
  Memory slab_;  // backed as far as it is used
  Workspace workspace_;
  TensorPool tensors_;
  std::function<bool()> is_interrupted_;
  int64_t first_number_ = 0;
  TranslationStatistics statistics_;
};

}  // namespace heed
