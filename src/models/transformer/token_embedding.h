// Token embeddings plus positions, at the bottom of both stacks (Vaswani et al. 2017, 3.4 and 3.5).
#pragma once

#include <span>
#include <string>

#include "config/model_options.h"
#include "ops/embedding.h"

namespace heed {

class TokenEmbedding {
 public:
  // `table` [vocabulary, model]; declares NAME.positions [max_length, model] if positions are
  // learned.
  TokenEmbedding(ParameterStore& store, const std::string& name, Parameter& table,
                 const ModelOptions& options);

  // ids, positions [tokens] -> [tokens, model]. Both must outlive the step. Throws UserError if a
  // position lies beyond a learned table.
  Tensor operator()(Context& ctx, std::span<const int32_t> ids,
                    std::span<const int32_t> positions) const;

 private:
  ConstMatrixView Sinusoids(Context& ctx, int64_t positions) const;

  ModelOptions options_;
  Parameter* table_;
  Parameter* learned_ = nullptr;
  mutable Memory sinusoids_;           // grows to the longest sentence seen
  mutable int64_t num_sinusoids_ = 0;  // rows
};

}  // namespace heed
