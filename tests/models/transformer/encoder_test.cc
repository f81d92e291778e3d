#include "models/transformer/encoder.h"

#include "tests/models/transformer/model_fixture.h"

namespace heed {
namespace {

TEST(Encoder, SentenceDoesNotSeeItsNeighbours) {
  for (const ModelOptions& options : ModelVariants()) {
    TestModel test(options);
    Context ctx = test.Make(nullptr);
    const std::vector<int32_t> a = {5, 3, 9, 0, 2, 0}, b = {5, 3, 9, 0, 7, 0}, lengths = {4, 2};
    const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
    const Tensor first = test.model->Encode(ctx, a, layout);
    const Tensor second = test.model->Encode(ctx, b, layout);
    for (int64_t row = 0; row < 6; ++row) {
      const bool equal =
          std::equal(first.view().Row<double>(row), first.view().Row<double>(row) + 8,
                     second.view().Row<double>(row));
      EXPECT_EQ(equal, row < 4) << row;
    }
  }
}

}  // namespace
}  // namespace heed
