#include "ops/norm.h"

#include "util/check.h"

namespace heed::ops {

Tensor LayerNorm(Context& ctx, const Tensor& x, Parameter& gamma, Parameter& beta, double epsilon) {
  HEED_CHECK(x.columns() == gamma.columns && x.columns() == beta.columns,
             "LayerNorm: {} columns, {} has {}", x.columns(), gamma.name, gamma.columns);
  Tensor y = ctx.New(x.rows(), x.columns());
  Tensor statistics = ctx.New(x.rows(), 2);
  ctx.backend.LayerNormForward(x.view(), gamma.value, beta.value, epsilon, y.view(),
                               statistics.view());
  ctx.CountUse(gamma);
  ctx.CountUse(beta);
  if (!ctx.recording()) return y;

  y.slot = ctx.tape->NewSlot();
  ctx.tape->Record([x, statistics, &gamma, &beta, slot = y.slot](Context& back) {
    const Tensor dy = back.tape->TakeGradient(slot);
    back.backend.LayerNormBackwardWeight(dy.view(), x.view(), statistics.view(), gamma.gradient,
                                         beta.gradient);
    back.tape->FinishUse(gamma);
    back.tape->FinishUse(beta);
    if (x.wants_gradient()) {
      const auto [dx, accumulate] = back.tape->GradientFor(back, x);
      back.backend.LayerNormBackwardInput(dy.view(), x.view(), gamma.value, statistics.view(),
                                          dx.view(), accumulate);
    }
  });
  return y;
}

}  // namespace heed::ops
