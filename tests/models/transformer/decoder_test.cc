#include "models/transformer/decoder.h"

#include "tests/models/transformer/model_fixture.h"

namespace heed {
namespace {

TEST(Decoder, TokenDoesNotSeeLaterTokens) {
  for (const ModelOptions& options : ModelVariants()) {
    TestModel test(options);
    Context ctx = test.Make(nullptr);
    const Batch a = MakeBatch({{5, 3, 0}}, {{7, 7, 2, 3, 0}});
    Batch b = MakeBatch({{5, 3, 0}}, {{7, 7, 9, 3, 0}});
    const Tensor first = test.model->Loss(ctx, a, {});
    b.target_labels[2] = 2;  // the same label, so that only the input of row 3 differs
    const Tensor second = test.model->Loss(ctx, b, {});
    for (int64_t row = 0; row < 5; ++row) {
      const bool equal = first.view().Row<double>(row)[0] == second.view().Row<double>(row)[0];
      EXPECT_EQ(equal, row < 3) << row;
    }
  }
}

}  // namespace
}  // namespace heed
