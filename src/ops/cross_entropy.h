// Output projection, softmax and cross-entropy in one op, so that the logits of a whole batch never
// exist at once.
#pragma once

#include <span>

#include "ops/context.h"

namespace heed::ops {

struct CrossEntropyOptions {
  double label_smoothing = 0;    // share of the target distribution spread over the vocabulary
  double gradient_scale = 1;     // of the gradient of the summed loss, usually 1 / target tokens
  int64_t max_logits = 1 << 23;  // elements of logits that exist at once; at least one row
};

// Losses of all tokens under softmax(x W' + b) (label smoothing: Szegedy et al. 2016, section 7).
//   x       [tokens, model]
//   weight  [vocabulary, model]
//   bias    [1, vocabulary] or nullptr
//   labels  [tokens], -1 = a spare row that counts for nothing
//   returns [tokens, 2]: smoothed loss, negative log-likelihood; nats. Never a gradient's start
//           itself: the gradient of the sum of the smoothed losses, times gradient_scale, is
//           computed in the same pass when recording, and joins backward from here.
// Keeps for backward: the gradient of x.
Tensor CrossEntropy(Context& ctx, const Tensor& x, Parameter& weight, Parameter* bias,
                    std::span<const int32_t> labels, const CrossEntropyOptions& options);

}  // namespace heed::ops
