#include "tests/support/gradient_check.h"

#include <algorithm>
#include <cmath>

namespace heed {
namespace {

double Weight(int64_t i) {
  return 2 * RandomUniform({.seed = 101}, static_cast<uint64_t>(i)) - 1;
}

}  // namespace

Tensor OpTest::AsTensor(Context& ctx, Parameter& operand) {
  Tensor x = ctx.New(operand.rows, operand.columns);
  ctx.backend.Copy(operand.value, x.view());
  ctx.CountUse(operand);
  if (!ctx.recording()) return x;
  x.slot = ctx.tape->NewSlot();
  ctx.tape->Record([&operand, slot = x.slot](Context& back) {
    back.backend.AddTo(back.tape->TakeGradient(slot).view(), operand.gradient);
    back.tape->FinishUse(operand);
  });
  return x;
}

void OpTest::CheckGradients(const std::function<Tensor(Context&)>& compute) {
  backend_->Fill(store_.flat_gradients(), 0);
  {
    Context ctx = Recording();
    const Tensor y = compute(ctx);
    Tensor dy = ctx.New(y.rows(), y.columns());
    for (int64_t i = 0; i < y.size(); ++i) dy.view().Row<double>(0)[i] = Weight(i);
    tape_.PassGradient(ctx, y.slot, std::move(dy));
    tape_.Unwind(ctx);
  }
  EXPECT_TRUE(workspace_.empty());
  CompareWithDifferences([&] {
    Context ctx = Forward();
    const Tensor y = compute(ctx);
    double sum = 0;
    for (int64_t i = 0; i < y.size(); ++i) sum += Weight(i) * y.view().Row<double>(0)[i];
    return sum;
  });
}

void OpTest::CheckLossGradients(const std::function<Tensor(Context&)>& compute, double scale) {
  backend_->Fill(store_.flat_gradients(), 0);
  {
    Context ctx = Recording();
    const Tensor losses = compute(ctx);
    tape_.Unwind(ctx);
  }
  EXPECT_TRUE(workspace_.empty());
  CompareWithDifferences([&] {
    Context ctx = Forward();
    const Tensor losses = compute(ctx);
    double sum = 0;
    for (int64_t i = 0; i < losses.rows(); ++i) sum += losses.view().Row<double>(i)[0];
    return scale * sum;
  });
}

void OpTest::CompareWithDifferences(const std::function<double()>& loss) {
  constexpr double kStep = 1e-5;
  double worst = 0;
  for (const auto& parameter : store_.parameters()) {
    EXPECT_EQ(parameter->open_uses, 0) << parameter->name;
    for (int64_t i = 0; i < parameter->size(); ++i) {
      double& value = parameter->value.Row<double>(0)[i];
      const double kept = value;
      value = kept + kStep;
      const double above = loss();
      value = kept - kStep;
      const double below = loss();
      value = kept;
      const double expected = (above - below) / (2 * kStep);
      const double found = parameter->gradient.Row<double>(0)[i];
      // Below 1e-2 the differences themselves are only good to about 1e-9.
      const double error = std::abs(expected - found) / std::max(1e-2, std::abs(expected));
      ASSERT_LT(error, 1e-6) << parameter->name << "[" << i << "]: " << found << ", expected "
                             << expected;
      worst = std::max(worst, error);
    }
  }
  RecordProperty("worst_relative_error", std::to_string(worst));
}

}  // namespace heed
