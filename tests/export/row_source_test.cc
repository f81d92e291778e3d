#include "export/row_source.h"

#include <gtest/gtest.h>

#include <array>

#include "checkpoint/safetensors_writer.h"
#include "tensor/half_precision.h"
#include "tests/export/source_values.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed {
namespace {

// Row i holds 10 i, 10 i + 1, ...
RowSource Counting(int64_t rows, int64_t columns, bool is_vector = false) {
  return {.name = "counting",
          .rows = rows,
          .columns = columns,
          .is_vector = is_vector,
          .read = [](int64_t row, std::span<float> values) {
            for (size_t i = 0; i < values.size(); ++i) {
              values[i] = static_cast<float>(10 * row) + static_cast<float>(i);
            }
          }};
}

TEST(RowSource, SelectsOutputsInAnyOrder) {
  EXPECT_EQ(ValuesOf(SelectOutputs(Counting(4, 2), {3, 0})), (std::vector<float>{30, 31, 0, 1}));
  EXPECT_EQ(ValuesOf(SelectOutputs(Counting(1, 5, true), {4, 4, 1})),
            (std::vector<float>{4, 4, 1}));
  EXPECT_THROW(SelectOutputs(Counting(4, 2), {4}), InternalError);
}

TEST(RowSource, SlicesRowsOfAMatrixAndElementsOfAVector) {
  EXPECT_EQ(ValuesOf(SliceOutputs(Counting(4, 2), 1, 2)), (std::vector<float>{10, 11, 20, 21}));
  const RowSource part = SliceOutputs(Counting(1, 5, true), 2, 3);
  EXPECT_EQ(ValuesOf(part), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(part.shape(), (std::vector<int64_t>{3}));
  EXPECT_THROW(SliceOutputs(Counting(4, 2), 3, 2), InternalError);
}

TEST(RowSource, ExtendsRowsOfAMatrixAndElementsOfAVector) {
  EXPECT_EQ(ValuesOf(ExtendOutputs(Counting(1, 2), 3, -1)),
            (std::vector<float>{0, 1, -1, -1, -1, -1}));
  EXPECT_EQ(ValuesOf(ExtendOutputs(Counting(1, 2, true), 4, 7)), (std::vector<float>{0, 1, 7, 7}));
  EXPECT_THROW(ExtendOutputs(Counting(4, 2), 3, 0), InternalError);
}

TEST(RowSource, ReordersRowsAndColumns) {
  EXPECT_EQ(ValuesOf(ReorderColumns(Counting(2, 3), {2, 0, 1})),
            (std::vector<float>{2, 0, 1, 12, 10, 11}));
  EXPECT_EQ(ValuesOf(ReorderRows(Counting(3, 2), {2, 0, 1})),
            (std::vector<float>{20, 21, 0, 1, 10, 11}));
  EXPECT_THROW(ReorderRows(Counting(3, 2), {0, 1}), InternalError);
}

TEST(RowSource, ZeroRowsAreZero) {
  EXPECT_EQ(ValuesOf(ZeroRows("zeros", 2, 3)), std::vector<float>(6, 0));
}

TEST(RowSource, ReadsEveryTypeOfFloat) {
  const TemporaryDirectory directory;
  const std::array<double, 2> doubles = {1.5, -0.25};
  const auto halves = [](uint16_t (*convert)(float)) {
    return [convert](AtomicFile& file) {
      const std::array<uint16_t, 2> values = {convert(1.5F), convert(-0.25F)};
      file.Write(values.data(), sizeof values);
    };
  };
  WriteSafetensors(directory / "file",
                   {{"f64",
                     "F64",
                     {2, 1},
                     [&](AtomicFile& file) { file.Write(doubles.data(), sizeof doubles); }},
                    {"f16", "F16", {2}, halves(&ToFloat16)},
                    {"bf16", "BF16", {1, 2}, halves(&ToBfloat16)},
                    {"i64", "I64", {}, [](AtomicFile& file) { file.Write("12345678"); }}});
  const SafetensorsReader reader(directory / "file");
  for (const char* name : {"f64", "f16", "bf16"}) {
    EXPECT_EQ(ValuesOf(TensorRows(reader.Get(name))), (std::vector<float>{1.5, -0.25})) << name;
  }
  EXPECT_TRUE(TensorRows(reader.Get("f16")).is_vector);
  EXPECT_FALSE(TensorRows(reader.Get("bf16")).is_vector);
  EXPECT_THROW(TensorRows(reader.Get("i64")), UserError);
}

}  // namespace
}  // namespace heed
