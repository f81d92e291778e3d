// Packed multi-head scaled dot-product attention (Vaswani et al. 2017, section 3.2). The matrix of
// probabilities is never stored: backward computes it again from the log sums.
#pragma once

#include "ops/context.h"
#include "tensor/sequence_layout.h"

namespace heed::ops {

struct AttentionOptions {
  int64_t heads = 1;
  AttentionMask mask = AttentionMask::kNone;
  double dropout = 0;  // rate, on the probabilities
};

// Each sentence attends to itself.
//   qkv     [tokens, 3 model]  queries, keys and values side by side
//   returns [tokens, model]
// Keeps for backward: qkv, the output and one value for each token and head. `sentences` must
// outlive the step.
Tensor SelfAttention(Context& ctx, const Tensor& qkv, const SequenceLayout& sentences,
                     const AttentionOptions& options);

// Sentence i of `targets` attends to sentence i of `sources`.
//   q       [target tokens, model]
//   kv      [source tokens, 2 model]  keys and values side by side
//   returns [target tokens, model]
// Keeps for backward: q, kv, the output and one value for each target token and head.
Tensor CrossAttention(Context& ctx, const Tensor& q, const Tensor& kv,
                      const SequenceLayout& targets, const SequenceLayout& sources,
                      const AttentionOptions& options);

// How much each target token attends to each source token in CrossAttention, the mean of the heads.
// Computes the probabilities again, which CrossAttention does not keep: for decoding. No gradient.
//   q       [target tokens, model]
//   kv      [source tokens, 2 model]  keys and values side by side
//   returns [target tokens, longest source]; 0 beyond the sentence's own source
Tensor AttentionWeights(Context& ctx, const Tensor& q, const Tensor& kv,
                        const SequenceLayout& targets, const SequenceLayout& sources,
                        int64_t heads);

}  // namespace heed::ops
