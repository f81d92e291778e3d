#include "ops/pointwise.h"

#include "util/check.h"

namespace heed::ops {
namespace {

// The gradient of dropout's input; dy itself where nothing was dropped.
Tensor ThroughDropout(Context& ctx, const Tensor& dy, const DropoutSpec& dropout) {
  if (dropout.rate == 0) return dy;
  Tensor dx = ctx.New(dy.rows(), dy.columns());
  ctx.backend.DropoutBackward(dy.view(), dropout, dx.view(), false);
  return dx;
}

}  // namespace

Tensor Activate(Context& ctx, const Tensor& x, Activation activation) {
  if (activation == Activation::kNone) return x;
  Tensor y = ctx.New(x.rows(), x.columns());
  ctx.backend.ActivationForward(activation, x.view(), y.view());
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([x, activation, slot = y.slot](Context& back) {
    const Tensor dy = back.tape->TakeGradient(slot);
    const auto [dx, accumulate] = back.tape->GradientFor(back, x);
    back.backend.ActivationBackward(activation, x.view(), dy.view(), dx.view(), accumulate);
  });
  return y;
}

Tensor Gated(Context& ctx, const Tensor& x, Activation activation) {
  HEED_CHECK(x.columns() % 2 == 0, "Gated: {} columns have no halves", x.columns());
  Tensor y = ctx.New(x.rows(), x.columns() / 2);
  ctx.backend.GatedForward(activation, x.view(), y.view());
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([x, activation, slot = y.slot](Context& back) {
    const Tensor dy = back.tape->TakeGradient(slot);
    const auto [dx, accumulate] = back.tape->GradientFor(back, x);
    back.backend.GatedBackward(activation, x.view(), dy.view(), dx.view(), accumulate);
  });
  return y;
}

Tensor DropoutAdd(Context& ctx, const Tensor& x, const Tensor& residual, double rate) {
  HEED_CHECK(x.rows() == residual.rows() && x.columns() == residual.columns(),
             "DropoutAdd: {} x {} plus {} x {}", x.rows(), x.columns(), residual.rows(),
             residual.columns());
  const DropoutSpec dropout = ctx.Dropout(rate);
  Tensor y = ctx.New(x.rows(), x.columns());
  ctx.backend.DropoutAdd(x.view(), residual.view(), dropout, y.view());
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record(
      [x_slot = x.slot, residual_slot = residual.slot, dropout, slot = y.slot](Context& back) {
        Tensor dy = back.tape->TakeGradient(slot);
        if (x_slot >= 0) {
          back.tape->PassGradient(back, x_slot, ThroughDropout(back, dy, dropout));
        }
        back.tape->PassGradient(back, residual_slot, std::move(dy));
      });
  return y;
}

Tensor Dropout(Context& ctx, const Tensor& x, double rate) {
  const DropoutSpec dropout = ctx.Dropout(rate);
  if (dropout.rate == 0) return x;
  Tensor y = ctx.New(x.rows(), x.columns());
  ctx.backend.DropoutAdd(x.view(), {}, dropout, y.view());
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([x_slot = x.slot, dropout, slot = y.slot](Context& back) {
    const Tensor dy = back.tape->TakeGradient(slot);
    back.tape->PassGradient(back, x_slot, ThroughDropout(back, dy, dropout));
  });
  return y;
}

}  // namespace heed::ops
