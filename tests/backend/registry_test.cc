#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/backend.h"

namespace heed {
namespace {

TEST(Registry, MakesTheReferenceInBothTypes) {
  EXPECT_EQ(MakeBackend({.name = "reference"})->real(), DType::kFloat32);
  EXPECT_EQ(MakeBackend({.name = "reference", .real = DType::kFloat64})->real(), DType::kFloat64);
}

TEST(Registry, DescriptionNamesBackendAndType) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat64});
  EXPECT_THAT(backend->Describe(), testing::HasSubstr("reference (float64"));
}

TEST(Registry, UnknownBackendIsTheUsersMistakeAndListsTheKnown) {
  try {
    MakeBackend({.name = "gpu"});
    FAIL() << "no exception";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("'gpu'"), testing::HasSubstr("cpu"),
                                             testing::HasSubstr("reference")));
  }
}

TEST(Registry, CpuHasNoDoublePrecision) {
  EXPECT_THROW(MakeBackend({.name = "cpu", .real = DType::kFloat64}), UserError);
}

TEST(Registry, ReferenceMemoryIsZeroed) {
  const auto backend = MakeBackend({.name = "reference"});
  const Memory memory = backend->Allocate(10000);
  EXPECT_THAT(std::span(memory.data(), 10000), testing::Each(std::byte{0}));
}

}  // namespace
}  // namespace heed
