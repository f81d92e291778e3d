#include "export/element_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RowSource Matrix(std::vector<std::vector<float>> rows) {
  return {.name = "some.weight",
          .rows = std::ssize(rows),
          .columns = std::ssize(rows.front()),
          .read = [rows](int64_t row, std::span<float> values) {
            std::ranges::copy(rows[static_cast<size_t>(row)], values.begin());
          }};
}

template <class T>
std::vector<T> Written(const std::function<void(AtomicFile&)>& write) {
  const TemporaryDirectory directory;
  AtomicFile file(directory / "file");
  write(file);
  file.Commit();
  const std::string bytes = ReadFile(directory / "file");
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class T>
std::vector<T> WrittenAs(ElementType type, const RowSource& source) {
  return Written<T>([&](AtomicFile& file) { WriteFloats(source, type, file); });
}

TEST(ElementType, WritesFloats) {
  const RowSource source = Matrix({{1, -2}, {0.5, 0}});
  EXPECT_THAT(WrittenAs<float>(ElementType::kFloat32, source), ElementsAre(1, -2, 0.5, 0));
  EXPECT_THAT(WrittenAs<uint16_t>(ElementType::kFloat16, source),
              ElementsAre(0x3c00, 0xc000, 0x3800, 0));
  EXPECT_THAT(WrittenAs<uint16_t>(ElementType::kBfloat16, source),
              ElementsAre(0x3f80, 0xc000, 0x3f00, 0));
}

// 127 / 2 = 63.5: ties go to the even neighbour, as NumPy's rint does.
TEST(ElementType, BytesUseTheirRowsWholeRange) {
  const RowSource source = Matrix({{2, -1, 0.01F}, {0, 0, 0}, {-0.5, 0.25, 0.5}});
  EXPECT_THAT(Written<int8_t>([&](AtomicFile& file) { WriteBytes(source, file); }),
              ElementsAre(127, -64, 1, 0, 0, 0, -127, 64, 127));
  EXPECT_THAT(RowFactors(source), ElementsAre(63.5, 1, 254));
}

TEST(ElementType, TheSmallestRowsKeepAFiniteFactor) {
  const RowSource source = Matrix({{1e-40F, 0}});
  EXPECT_LT(RowFactors(source).front(), std::numeric_limits<float>::infinity());
}

TEST(ElementType, RefusesWhatTheTypeCannotHold) {
  try {
    WrittenAs<uint16_t>(ElementType::kFloat16, Matrix({{1, 70000}}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("some.weight holds 70000"));
  }
  const float infinite = std::numeric_limits<float>::infinity();
  try {
    WrittenAs<float>(ElementType::kFloat32, Matrix({{1}, {infinite}}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("row 1 of some.weight"));
  }
}

}  // namespace
}  // namespace heed
