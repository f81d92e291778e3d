#include "decode/source_encoder.h"

#include <fmt/format.h>

#include "util/logging.h"

namespace heed {

SourceEncoder::SourceEncoder(const Tokenizer& tokenizer, int64_t max_source_length,
                             int64_t max_model_length)
    : tokenizer_(tokenizer),
      max_length_(max_source_length),
      reason_(fmt::format("decoding.max_source_length is {}", max_source_length)) {
  if (max_model_length > 0 && max_model_length < max_source_length) {
    max_length_ = max_model_length;
    reason_ = fmt::format("the model has positions for {}", max_model_length);
  }
}

std::vector<int32_t> SourceEncoder::Encode(const std::string& line, int64_t line_number) {
  std::vector<int32_t> ids;
  tokenizer_.Encode(line, &ids);
  const auto longest = static_cast<size_t>(max_length_ - 1);  // the end mark needs a place too
  if (ids.size() > longest) {
    ++cut_lines_;
    Warn(line_number, ids.size());
    ids.resize(longest);
  }
  return ids;
}

void SourceEncoder::Warn(int64_t line_number, size_t num_tokens) const {
  constexpr int64_t kNamed = 10;
  if (cut_lines_ <= kNamed) {
    HEED_LOG(warn, "line {} has {} tokens and is cut after {} ({}); split it into sentences",
             line_number, num_tokens, max_length_ - 1, reason_);
  } else if (cut_lines_ == kNamed + 1) {
    HEED_LOG(warn, "more lines are too long; from here on they are only counted");
  }
}

}  // namespace heed
