#include "ops/linear.h"

#include "util/check.h"

namespace heed::ops {
namespace {

// The gradient before the ReLU, in place where nobody else holds dy.
// NOLINTNEXTLINE(performance-unnecessary-value-param): a reference would not be the only holder
Tensor ThroughRelu(Context& ctx, const Tensor& y, Tensor dy) {
  Tensor before = dy.unique() ? dy : ctx.New(dy.rows(), dy.columns());
  ctx.backend.ActivationBackward(Activation::kRelu, y.view(), dy.view(), before.view(), false);
  return before;
}

}  // namespace

Tensor Linear(Context& ctx, const Tensor& x, Parameter& weight, Parameter* bias,
              Activation activation) {
  HEED_CHECK(x.columns() == weight.columns, "Linear: x is {} x {}, {} is {} x {}", x.rows(),
             x.columns(), weight.name, weight.rows, weight.columns);
  HEED_CHECK(bias == nullptr || bias->columns == weight.rows, "Linear: bias of {} has {} values",
             weight.name, bias->columns);
  HEED_CHECK(activation == Activation::kNone || activation == Activation::kRelu,
             "Linear fuses no activation but ReLU");
  Tensor y = ctx.New(x.rows(), weight.rows);
  ctx.backend.Linear(x.view(), weight.value, bias != nullptr ? bias->value : MatrixView{},
                     activation, y.view());
  ctx.CountUse(weight);
  if (bias != nullptr) ctx.CountUse(*bias);
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  const Tensor kept_y = activation == Activation::kRelu ? y : Tensor();
  ctx.tape->Record([x, &weight, bias, kept_y, slot = y.slot](Context& back) {
    Tensor dy = back.tape->TakeGradient(slot);
    if (kept_y) dy = ThroughRelu(back, kept_y, std::move(dy));
    if (!weight.is_frozen) {
      back.backend.LinearBackwardWeight(dy.view(), x.view(), weight.gradient);
    }
    back.tape->FinishUse(weight);
    if (bias != nullptr) {
      back.backend.LinearBackwardBias(dy.view(), bias->gradient);
      back.tape->FinishUse(*bias);
    }
    if (x.wants_gradient()) {
      const auto [dx, accumulate] = back.tape->GradientFor(back, x);
      back.backend.LinearBackwardInput(dy.view(), weight.value, dx.view(), accumulate);
    }
  });
  return y;
}

}  // namespace heed::ops
