// Lines of source text to tokens, cut where the model or the recipe allows no more: in translation
// and in scoring alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

class SourceEncoder {
 public:
  // Lengths in tokens, end mark included: what the recipe asks for and what the model can take (0 =
  // any). The tokenizer must outlive the encoder.
  SourceEncoder(const Tokenizer& tokenizer, int64_t max_source_length, int64_t max_model_length);

  // The tokens of a line without the end mark; of a line that is too long the first ones, with a
  // warning that names it. Only the first few such lines are named; count them all.
  std::vector<int32_t> Encode(const std::string& line, int64_t line_number);

  int64_t cut_lines() const { return cut_lines_; }

 private:
  void Warn(int64_t line_number, size_t num_tokens) const;

  const Tokenizer& tokenizer_;
  int64_t max_length_;
  std::string reason_;  // why no more
  int64_t cut_lines_ = 0;
};

}  // namespace heed
