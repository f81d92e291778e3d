#include "ops/cross_entropy.h"

#include <algorithm>

#include "util/check.h"

namespace heed::ops {

Tensor CrossEntropy(Context& ctx, const Tensor& x, Parameter& weight, Parameter* bias,
                    std::span<const int32_t> labels, const CrossEntropyOptions& options) {
  const int64_t tokens = x.rows();
  HEED_CHECK(static_cast<int64_t>(labels.size()) == tokens && x.columns() == weight.columns,
             "CrossEntropy: x is {} x {}, {} labels, {} is {} x {}", tokens, x.columns(),
             labels.size(), weight.name, weight.rows, weight.columns);
  for (const int32_t label : labels) {
    HEED_CHECK(label >= -1 && label < weight.rows, "CrossEntropy: label {} of {}", label,
               weight.rows);
  }
  const bool with_gradient = ctx.recording();
  const MatrixView bias_value = bias != nullptr ? bias->value : MatrixView{};
  Tensor losses = ctx.New(tokens, 2);
  Tensor dx = with_gradient ? ctx.New(tokens, x.columns()) : Tensor();

  const int64_t chunk = std::max<int64_t>(1, options.max_logits / weight.rows);
  for (int64_t begin = 0; begin < tokens; begin += chunk) {
    const int64_t count = std::min(chunk, tokens - begin);
    const MatrixView rows = x.view().Rows(begin, count);
    const Tensor logits = ctx.New(count, weight.rows);
    ctx.backend.Linear(rows, weight.value, bias_value, Activation::kNone, logits.view());
    ctx.backend.CrossEntropy(logits.view(),
                             labels.subspan(static_cast<size_t>(begin), static_cast<size_t>(count)),
                             options.label_smoothing, options.gradient_scale, with_gradient,
                             losses.view().Rows(begin, count));
    if (!with_gradient) continue;
    if (!weight.is_frozen) {
      ctx.backend.LinearBackwardWeight(logits.view(), rows, weight.gradient);
    }
    if (bias != nullptr) ctx.backend.LinearBackwardBias(logits.view(), bias->gradient);
    ctx.backend.LinearBackwardInput(logits.view(), weight.value, dx.view().Rows(begin, count),
                                    false);
  }

  ctx.CountUse(weight);
  if (bias != nullptr) ctx.CountUse(*bias);
  if (!with_gradient) return losses;
  ctx.tape->Record([x_slot = x.slot, dx, &weight, bias](Context& back) {
    back.tape->FinishUse(weight);
    if (bias != nullptr) back.tape->FinishUse(*bias);
    back.tape->PassGradient(back, x_slot, dx);
  });
  return losses;
}

}  // namespace heed::ops
