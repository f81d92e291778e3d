#include "ops/cross_entropy.h"

#include <cmath>
#include <vector>

#include "tests/support/gradient_check.h"
#include "util/check.h"

namespace heed {
namespace {

class CrossEntropyOp : public OpTest {};

TEST_F(CrossEntropyOp, GradientsMatchDifferences) {
  Parameter& x = Operand("x", 5, 3);
  Parameter& w = Operand("w", 7, 3);
  Parameter& b = Operand("b", 1, 7);
  Allocate();
  const std::vector<int32_t> labels = {6, 0, -1, 3, 3};
  for (const double smoothing : {0.0, 0.1}) {
    for (const int64_t max_logits : {1, 14, 1000}) {  // one row, two rows, everything
      CheckLossGradients(
          [&](Context& ctx) {
            return ops::CrossEntropy(
                ctx, AsTensor(ctx, x), w, &b, labels,
                {.label_smoothing = smoothing, .gradient_scale = 0.25, .max_logits = max_logits});
          },
          0.25);
    }
  }
}

TEST_F(CrossEntropyOp, EqualLogitsCostTheLogOfTheVocabulary) {
  Parameter& x = Operand("x", 2, 3);
  Parameter& w = Operand("w", 7, 3);
  Allocate();
  backend_->Fill(w.value, 0);
  Context ctx = Forward();
  const std::vector<int32_t> labels = {6, -1};
  const Tensor losses =
      ops::CrossEntropy(ctx, AsTensor(ctx, x), w, nullptr, labels, {.label_smoothing = 0.1});
  EXPECT_NEAR(losses.view().Row<double>(0)[0], std::log(7.0), 1e-12);
  EXPECT_NEAR(losses.view().Row<double>(0)[1], std::log(7.0), 1e-12);
  EXPECT_EQ(losses.view().Row<double>(1)[0], 0);
}

TEST_F(CrossEntropyOp, LabelsAreRangeChecked) {
  Parameter& x = Operand("x", 1, 3);
  Parameter& w = Operand("w", 7, 3);
  Allocate();
  Context ctx = Forward();
  const std::vector<int32_t> labels = {7};
  EXPECT_THROW(ops::CrossEntropy(ctx, AsTensor(ctx, x), w, nullptr, labels, {}), InternalError);
}

}  // namespace
}  // namespace heed
