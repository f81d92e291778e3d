// Multi-head attention (Vaswani et al. 2017, section 3.2.2): over the sentence itself, and over the
// encoder's output.
#pragma once

#include <string>

#include "nn/linear_layer.h"
#include "ops/attention.h"

namespace heed {

struct AttentionShape {
  int64_t model_width = 0;
  int64_t heads = 1;
  bool with_bias = true;
  double dropout = 0;  // rate, on the probabilities
  double gain = 1;     // of the Xavier initialisation
};

// Cached keys and values of earlier steps, for decoding one token at a time.
struct AttentionCache {
  MatrixView keys_values;            // [cache rows, 2 model]
  int64_t first_row = 0;             // where this step's hypotheses are written
  std::span<const int32_t> history;  // [hypotheses, steps], see CachedAttentionArguments
  int64_t steps = 0;
};

class SelfAttention {
 public:
  // Declares NAME.qkv [3 model, model] and NAME.output [model, model].
  SelfAttention(ParameterStore& store, const std::string& name, const AttentionShape& shape);

  // x [tokens, model] -> [tokens, model]
  Tensor operator()(Context& ctx, const Tensor& x, const SequenceLayout& sentences,
                    AttentionMask mask) const;
  // x [hypotheses, model]: the newest token of each -> [hypotheses, model]. No gradient.
  Tensor Step(Context& ctx, const Tensor& x, const AttentionCache& cache) const;

 private:
  AttentionShape shape_;
  LinearLayer qkv_, output_;
};

class CrossAttention {
 public:
  // Declares NAME.query [model, model], NAME.key_value [2 model, model], NAME.output [model,
  // model].
  CrossAttention(ParameterStore& store, const std::string& name, const AttentionShape& shape);

  // Keys and values of the encoder's output: memory [source tokens, model] -> [.., 2 model].
  Tensor Project(Context& ctx, const Tensor& memory) const { return key_value_(ctx, memory); }
  // x [target tokens, model], keys_values from Project -> [target tokens, model]. `weights`, if
  // given, receives what ops::AttentionWeights returns.
  Tensor operator()(Context& ctx, const Tensor& x, const Tensor& keys_values,
                    const SequenceLayout& targets, const SequenceLayout& sources,
                    Tensor* weights = nullptr) const;

 private:
  // q [target tokens, model] -> [target tokens, model], before the output projection.
  Tensor Attend(Context& ctx, const Tensor& q, const Tensor& keys_values,
                const SequenceLayout& targets, const SequenceLayout& sources,
                Tensor* weights) const;

  AttentionShape shape_;
  LinearLayer query_, key_value_, output_;
};

}  // namespace heed
