#include "ops/norm.h"

#include "tests/support/gradient_check.h"

namespace heed {
namespace {

class NormOp : public OpTest {};

TEST_F(NormOp, GradientsMatchDifferences) {
  Parameter& x = Operand("x", 5, 7);
  Parameter& gamma = Operand("gamma", 1, 7);
  Parameter& beta = Operand("beta", 1, 7);
  Allocate();
  CheckGradients(
      [&](Context& ctx) { return ops::LayerNorm(ctx, AsTensor(ctx, x), gamma, beta, 1e-5); });
}

}  // namespace
}  // namespace heed
