// A model without a network: the logits after a prefix are random numbers keyed by source and
// prefix.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "models/seq2seq_model.h"

namespace heed {

class TableModel final : public Seq2SeqModel {
 public:
  // Logits are uniform in (-sharpness, sharpness).
  TableModel(uint64_t seed, int64_t vocabulary, double sharpness = 2)
      : seed_(seed), vocabulary_(vocabulary), sharpness_(sharpness) {}

  // Fixes the logits after a prefix, whatever the source.
  void Set(const std::vector<int32_t>& prefix, std::vector<double> logits) {
    fixed_[prefix] = std::move(logits);
  }

  std::vector<double> LogProbabilities(int32_t source, const std::vector<int32_t>& prefix) const;
  std::vector<double> Logits(int32_t source, const std::vector<int32_t>& prefix) const;
  // The attention of the step after a prefix to each of `columns` source tokens, whatever the
  // source.
  std::vector<double> Attention(const std::vector<int32_t>& prefix, int64_t columns) const;
  // Whether any search has asked for attention.
  bool asked_attention() const { return asked_attention_; }

  Tensor Loss(Context& ctx, const Batch& batch,
              const ops::CrossEntropyOptions& options) const override;
  std::unique_ptr<DecodingSession> StartDecoding(Context& ctx, std::span<const int32_t> source_ids,
                                                 const SequenceLayout& sources,
                                                 const DecodingPlan& plan) const override;
  int32_t start_token() const override { return -1; }
  int64_t target_vocabulary() const override { return vocabulary_; }
  int64_t max_length() const override { return max_length_; }
  void SetMaxLength(int64_t tokens) { max_length_ = tokens; }

 private:
  uint64_t seed_;
  int64_t vocabulary_;
  double sharpness_;
  int64_t max_length_ = 0;
  std::map<std::vector<int32_t>, std::vector<double>> fixed_;
  mutable bool asked_attention_ = false;
};

}  // namespace heed
