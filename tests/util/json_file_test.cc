#include "util/json_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

TEST(JsonFile, ReadsJsonAndNamesTheFileThatIsNot) {
  const TemporaryDirectory directory;
  WriteFile(directory / "good.json", R"({"a": 1})");
  EXPECT_EQ(ReadJsonFile(directory / "good.json")["a"], 1);
  WriteFile(directory / "bad.json", R"({"a": )" + std::string(1000, '7'));
  try {
    ReadJsonFile(directory / "bad.json");
    FAIL() << "bad.json was read";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("bad.json is not JSON"));
    EXPECT_LT(std::string(error.what()).size(), 600u);
  }
  EXPECT_THROW(ReadJsonFile(directory / "absent.json"), UserError);
}

double RoundTrip(double value) {
  return NumberFromJson(nlohmann::json::parse(NumberToJson(value).dump()));
}

TEST(JsonFile, DoublesKeepTheirBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    ASSERT_EQ(std::bit_cast<uint64_t>(RoundTrip(value)), std::bit_cast<uint64_t>(value)) << value;
  }
  EXPECT_TRUE(std::signbit(RoundTrip(-0.0)));
  EXPECT_EQ(RoundTrip(5e-324), 5e-324);
  EXPECT_EQ(NumberToJson(0.1).dump(), "0.1");
}

TEST(JsonFile, WhatIsNoNumberInJsonIsKept) {
  EXPECT_TRUE(std::isnan(RoundTrip(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(RoundTrip(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(RoundTrip(-std::numeric_limits<double>::infinity()),
            -std::numeric_limits<double>::infinity());
  EXPECT_THROW(NumberFromJson("infinity"), nlohmann::json::exception);
}

}  // namespace
}  // namespace heed
