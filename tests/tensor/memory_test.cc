#include "tensor/memory.h"

#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

TEST(Memory, HostMemoryIsZeroAndWritable) {
  Memory memory = Memory::Host(10000);
  EXPECT_EQ(memory.data()[9999], std::byte{0});
  memory.data()[9999] = std::byte{1};
  const Memory moved = std::move(memory);
  EXPECT_EQ(moved.data()[9999], std::byte{1});
}

TEST(Memory, AnImpossibleSizeIsAUserError) {
  EXPECT_THROW(Memory::Host(int64_t{1} << 55), UserError);
}

TEST(Memory, UnbackedMemoryHasAddressesOnly) {
  const Memory memory = Memory::Unbacked(int64_t{1} << 40);
  EXPECT_NE(memory.data(), nullptr);
  EXPECT_EQ(memory.bytes(), int64_t{1} << 40);
}

}  // namespace
}  // namespace heed
