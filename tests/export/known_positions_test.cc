#include "export/known_positions.h"

#include <gtest/gtest.h>

#include "nn/sinusoid.h"

namespace heed {
namespace {

constexpr int64_t kRows = 40, kWidth = 16;

RowSource Table(std::vector<double> values) {
  return {.name = "table",
          .rows = kRows,
          .columns = kWidth,
          .read = [values = std::move(values)](int64_t row, std::span<float> out) {
            for (size_t i = 0; i < out.size(); ++i) {
              out[i] = static_cast<float>(values[static_cast<size_t>(row * kWidth) + i]);
            }
          }};
}

TEST(KnownPositions, EveryFormulaIsRecognised) {
  for (const auto& layout : EnumNames(SinusoidLayout{})) {
    for (const auto& frequency : EnumNames(SinusoidFrequency{})) {
      for (const int64_t offset : {0, 1, 2}) {
        PositionOptions options;
        options.layout = layout.value;
        options.frequency = frequency.value;
        options.offset = offset;
        const auto found = RecognisePositions(Table(SinusoidTable(options, kRows, kWidth)));
        ASSERT_TRUE(found) << layout.name << " " << frequency.name << " " << offset;
        EXPECT_EQ(*found, options);
      }
    }
  }
}

TEST(KnownPositions, ZerosAreNoPositions) {
  const auto found = RecognisePositions(Table(std::vector<double>(kRows * kWidth)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, PositionKind::kNone);
}

TEST(KnownPositions, OneOtherValueMakesATableLearned) {
  std::vector<double> values = SinusoidTable({}, kRows, kWidth);
  values.back() += 1e-2;
  EXPECT_FALSE(RecognisePositions(Table(values)));
  values.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(RecognisePositions(Table(values)));
}

}  // namespace
}  // namespace heed
