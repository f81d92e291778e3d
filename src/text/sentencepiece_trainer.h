// Trains SentencePiece models in process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/subword_pieces.h"

namespace heed {

struct SubwordTrainingOptions {
  SubwordKind kind = SubwordKind::kUnigram;  // or kBpe
  int64_t size = 32000;                      // pieces, marks included
  double character_coverage = 0.9995;
  bool byte_fallback = true;
  std::string normalization = "nmt_nfkc";  // SentencePiece's name of the rule
  std::vector<std::string> user_symbols;   // never split
  bool has_begin_mark = false;             // id 2; the end mark is 0, unknown is 1, no padding
  bool is_large = false;  // the text may have over 2^31 characters; takes more memory
};

// Gives the next sentence, valid until the next call; false at the end.
using SentenceStream = std::function<bool(std::string_view* sentence)>;

// Returns the content of a .model file; the same for the same sentences and options, whatever the
// machine's number of cores. All sentences are held in memory. Control characters, which would
// spoil the model, count as spaces (cleanup.h). Throws UserError, with a value to try where there
// is one, if `size` does not suit the text.
std::string TrainSentencePiece(const SubwordTrainingOptions& options, const SentenceStream& next);

}  // namespace heed
