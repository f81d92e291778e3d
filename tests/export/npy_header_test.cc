#include "export/npy_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heed {
namespace {

TEST(NpyHeader, ReadsWhatNumPyWrites) {
  const auto matrix =
      ParseNpyHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (512, 2048), }   \n");
  ASSERT_TRUE(matrix.has_value());
  EXPECT_EQ(matrix->type, MarianType::kFloat32);
  EXPECT_THAT(matrix->shape, testing::ElementsAre(512, 2048));
  const auto text = ParseNpyHeader("{'descr': '|i1', 'fortran_order': False, 'shape': (7,), }\n");
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->type, MarianType::kInt8);
  EXPECT_THAT(text->shape, testing::ElementsAre(7));
}

TEST(NpyHeader, RefusesOtherTypesAndOrders) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
  for (const auto& [from, to] :
       {std::pair{"<f4", "<f8"}, std::pair{"<f4", ">f4"}, std::pair{"False", "True"},
        std::pair{"(2, 3)", "()"}, std::pair{"(2, 3)", "(2)"}, std::pair{"(2, 3)", "(2, -3)"},
        std::pair{"(2, 3)", "(2, 99999999999999999999)"}}) {
    std::string other = good;
    other.replace(other.find(from), std::string(from).size(), to);
    EXPECT_FALSE(ParseNpyHeader(other).has_value()) << other;
  }
}

TEST(NpyHeader, RefusesEveryPart) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_TRUE(ParseNpyHeader(good).has_value());
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(ParseNpyHeader(good.substr(0, length)).has_value()) << length;
  }
  EXPECT_FALSE(ParseNpyHeader(good + "x").has_value());
}

}  // namespace
}  // namespace heed
