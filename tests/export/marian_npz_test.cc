#include "export/marian_npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/npy_header.h"
#include "tests/export/small_marian_file.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

uint32_t NumberAt(const std::string& bytes, size_t place) {
  uint32_t value;
  bytes.copy(reinterpret_cast<char*>(&value), sizeof value, place);
  return value;
}

class MarianNpzTest : public testing::Test {
 protected:
  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "model.npz";
};

// Marian reads entry after entry from the front.
TEST_F(MarianNpzTest, SizesAndChecksumStandBeforeEachEntry) {
  WriteSmallMarianFile(path_);
  const std::string bytes = ReadFile(path_);
  EXPECT_EQ(std::ssize(bytes), MarianNpzBytes(SmallMarianItems()));
  size_t place = 0;
  for (const std::string name : {"a_Wq.npy", "a_bq.npy", "special:model.yml.npy"}) {
    EXPECT_EQ(bytes.substr(place, 4), "PK\x03\x04");
    EXPECT_EQ(bytes.substr(place + 30, name.size()), name);
    const uint32_t size = NumberAt(bytes, place + 18);
    EXPECT_EQ(NumberAt(bytes, place + 22), size);
    const size_t data = place + 30 + name.size();
    EXPECT_EQ(NumberAt(bytes, place + 14), Crc32(bytes.data() + data, size));
    place = data + size;
  }
  EXPECT_EQ(bytes.substr(place, 4), "PK\x01\x02");
  EXPECT_EQ(NumberAt(bytes, bytes.size() - 6), place);
}

TEST_F(MarianNpzTest, HeadersOfArraysAreNumPys) {
  WriteSmallMarianFile(path_);
  const std::string bytes = ReadFile(path_);
  EXPECT_EQ(bytes.substr(38, 10), std::string("\x93NUMPY\x01\x00\x46\x00", 10));
  EXPECT_EQ(bytes.substr(48, 61), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  ");
  EXPECT_EQ(bytes[38 + 79], '\n');
  EXPECT_THAT(bytes, testing::HasSubstr("'|i1', 'fortran_order': False, 'shape': (13,), }"));
}

TEST_F(MarianNpzTest, TheSameItemsGiveTheSameBytes) {
  WriteSmallMarianFile(path_);
  const std::string first = ReadFile(path_);
  WriteSmallMarianFile(path_);
  EXPECT_EQ(ReadFile(path_), first);
}

TEST_F(MarianNpzTest, FourGibibytesAreRefusedBeforeAnythingIsMade) {
  const MarianItem large{.name = "Wemb", .shape = {1 << 20, 1 << 10}, .make = {}};
  try {
    WriteMarianNpz(path_, {large});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("would need 4.29 GB"));
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace heed
