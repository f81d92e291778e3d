// The Transformer (Vaswani et al. 2017, "Attention is all you need").
#pragma once

#include <memory>
#include <span>

#include "models/seq2seq_model.h"
#include "models/transformer/decoder.h"
#include "models/transformer/encoder.h"
#include "models/transformer/token_embedding.h"

namespace heed {

// Embedding tables, tied as the recipe asks (Press and Wolf 2017).
struct EmbeddingTables {
  EmbeddingTables(ParameterStore& store, const TransformerShape& shape);
  Parameter* source;  // [source vocabulary, model]
  Parameter* target;  // [target vocabulary, model]
};

class Transformer final : public Seq2SeqModel {
 public:
  // Declares all parameters in `store`, which must outlive the model.
  Transformer(ParameterStore& store, const TransformerShape& shape, bool checkpoint_layers);

  Tensor Loss(Context& ctx, const Batch& batch,
              const ops::CrossEntropyOptions& options) const override;
  std::unique_ptr<DecodingSession> StartDecoding(Context& ctx, std::span<const int32_t> source_ids,
                                                 const SequenceLayout& sources,
                                                 const DecodingPlan& plan) const override;
  int32_t start_token() const override { return shape_.begin_id; }
  int64_t target_vocabulary() const override { return shape_.target_vocabulary; }
  int64_t max_length() const override {
    const PositionOptions& positions = shape_.options.positions;
    return positions.kind == PositionKind::kLearned ? positions.max_length : 0;
  }

  // ids [source tokens] -> memory [source tokens, model]
  Tensor Encode(Context& ctx, std::span<const int32_t> ids, const SequenceLayout& sources) const;

 private:
  friend class TransformerDecodingSession;

  TransformerShape shape_;
  bool checkpoint_layers_;
  EmbeddingTables tables_;
  TokenEmbedding source_embedding_;
  Encoder encoder_;
  TokenEmbedding target_embedding_;
  Decoder decoder_;
  Parameter* output_weight_;  // [target vocabulary, model]
  Parameter* output_bias_;    // [1, target vocabulary], or nullptr
};

}  // namespace heed
