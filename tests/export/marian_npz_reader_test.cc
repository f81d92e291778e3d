#include "export/marian_npz_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/small_marian_file.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

class MarianNpzReaderTest : public testing::Test {
 protected:
  std::string FaultOf(const std::string& bytes) {
    WriteFile(path_, bytes);
    try {
      FindMarianNpzArrays(MappedFile(path_));
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  // With one byte changed.
  std::string FaultWith(size_t place, char value) {
    std::string bytes = bytes_;
    bytes[place] = value;
    return FaultOf(bytes);
  }
  // With part of the first entry replaced, and a checksum that fits.
  std::string FaultWithArray(const std::string& from, const std::string& to) {
    std::string bytes = bytes_;
    bytes.replace(bytes.find(from), from.size(), to);
    constexpr size_t kData = 38;
    constexpr size_t kDataBytes = 80 + 24;
    const uint32_t crc = Crc32(bytes.data() + kData, kDataBytes);
    bytes.replace(directory_at_ + 16, 4, reinterpret_cast<const char*>(&crc), 4);
    return FaultOf(bytes);
  }
  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "model.npz";
  const std::string bytes_ = (WriteSmallMarianFile(path_), ReadFile(path_));
  const size_t directory_at_ = bytes_.find("PK\x01\x02");
};

TEST_F(MarianNpzReaderTest, FindsWhatWasWritten) {
  const MappedFile file(path_);
  const auto arrays = FindMarianNpzArrays(file);
  ASSERT_EQ(arrays.size(), 3U);
  EXPECT_EQ(arrays[0].name, "a_Wq");
  EXPECT_THAT(arrays[0].shape, testing::ElementsAre(2, 3));
  EXPECT_EQ(arrays[2].name, kMarianConfig);
  EXPECT_EQ(arrays[2].type, MarianType::kInt8);
}

TEST_F(MarianNpzReaderTest, FaultsSayWhatIsWrong) {
  EXPECT_THAT(FaultOf(""), HasSubstr("the end of its directory is not where it should be"));
  EXPECT_THAT(FaultOf(bytes_ + "x"), HasSubstr("the end of its directory"));
  EXPECT_THAT(FaultWith(bytes_.size() - 14, 2), HasSubstr("it is one of several parts"));
  EXPECT_THAT(FaultWith(bytes_.size() - 3, 1), HasSubstr("it names bytes"));
  EXPECT_THAT(FaultWith(directory_at_ + 10, 8), HasSubstr("'a_Wq.npy' is compressed"));
  EXPECT_THAT(FaultWith(directory_at_ + 8, 1), HasSubstr("'a_Wq.npy' is compressed or encrypted"));
  EXPECT_THAT(FaultWith(directory_at_ + 45, 1), HasSubstr("it names bytes"));
  EXPECT_THAT(FaultWith(120, 7), HasSubstr("the checksum of 'a_Wq.npy' does not fit"));
}

TEST_F(MarianNpzReaderTest, ArraysMustBeWhole) {
  EXPECT_EQ(FaultWithArray("(2, 3)", "(3, 2)"), "");
  EXPECT_THAT(FaultWithArray("(2, 3)", "(2, 4)"), HasSubstr("'a_Wq' has 24 bytes and needs 32"));
  EXPECT_THAT(FaultWithArray("<f4", "<f2"), HasSubstr("'a_Wq' has 24 bytes and needs 12"));
  EXPECT_THAT(FaultWithArray("<f4", "<f8"), HasSubstr("'a_Wq' is not a row-major array"));
  EXPECT_THAT(FaultWithArray("NUMPY", "numpy"), HasSubstr("npy version 1.0"));
  EXPECT_THAT(FaultWithArray("(2, 3), }  ", "(0, 3), }  "), HasSubstr("the shape of 'a_Wq'"));
}

// Many entries of the same bytes would take for ever to check.
TEST_F(MarianNpzReaderTest, EntriesThatOverlapAreRefused) {
  const std::string entry = bytes_.substr(directory_at_, 46 + 8);
  std::string bytes = bytes_.substr(0, directory_at_);
  constexpr int kEntries = 40;
  for (int i = 0; i < kEntries; ++i) bytes += entry;
  std::string end = bytes_.substr(bytes_.size() - 22);
  end[8] = end[10] = kEntries;
  const auto size = static_cast<uint32_t>(kEntries * entry.size());
  end.replace(12, 4, reinterpret_cast<const char*>(&size), 4);
  EXPECT_THAT(FaultOf(bytes + end), HasSubstr("its entries overlap"));
}

}  // namespace
}  // namespace heed
