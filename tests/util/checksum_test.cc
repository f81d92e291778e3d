#include "util/checksum.h"

#include <gtest/gtest.h>

#include "tests/util/temporary_directory.h"
#include "util/files.h"

namespace heed {
namespace {

TEST(Checksum, Crc32OfTheStandardCheckString) {
  EXPECT_EQ(Crc32("123456789", 9), 0xCBF43926u);
  EXPECT_EQ(Crc32(nullptr, 0), 0u);
}

TEST(Checksum, Crc32OfPartsEqualsThatOfTheWhole) {
  EXPECT_EQ(Crc32("6789", 4, Crc32(nullptr, 0, Crc32("12345", 5))), 0xCBF43926u);
}

TEST(Checksum, Crc32OfAFile) {
  const TemporaryDirectory directory;
  WriteFile(directory / "digits", "123456789");
  WriteFile(directory / "empty", "");
  EXPECT_EQ(Crc32OfFile(directory / "digits"), 0xCBF43926u);
  EXPECT_EQ(Crc32OfFile(directory / "empty"), 0u);
}

// The vectors are those of the authors' page.
TEST(Checksum, Fnv1aVectors) {
  EXPECT_EQ(Fnv1a64(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(Fnv1a64("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171f73967e8ULL);
  EXPECT_EQ(Fnv1a64("bar", Fnv1a64("foo")), 0x85944171f73967e8ULL);
}

TEST(Checksum, HexDigitsKeepLeadingZeros) {
  EXPECT_EQ(HexDigits(uint32_t{0xAB}), "000000ab");
  EXPECT_EQ(HexDigits(uint64_t{0xAB}), "00000000000000ab");
}

}  // namespace
}  // namespace heed
