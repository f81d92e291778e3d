#include "export/marian_bin_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/small_marian_file.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

class MarianBinReaderTest : public testing::Test {
 protected:
  MarianBinReaderTest() { WriteSmallMarianFile(path_); }

  // With eight bytes at `place` replaced by a number.
  std::string FaultWith(size_t place, uint64_t number) {
    std::string bytes = bytes_;
    bytes.replace(place, sizeof number, reinterpret_cast<const char*>(&number), sizeof number);
    return FaultOf(bytes);
  }
  std::string FaultOf(const std::string& bytes) {
    WriteFile(path_, bytes);
    try {
      FindMarianBinArrays(MappedFile(path_));
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "model.bin";
  const std::string bytes_ = (WriteSmallMarianFile(path_), ReadFile(path_));
};

TEST_F(MarianBinReaderTest, FindsWhatWasWritten) {
  const MappedFile file(path_);
  const auto arrays = FindMarianBinArrays(file);
  ASSERT_EQ(arrays.size(), 3U);
  EXPECT_EQ(arrays[1].name, "a_bq");
  EXPECT_THAT(arrays[1].shape, testing::ElementsAre(1, 3));
  EXPECT_EQ(arrays[2].type, MarianType::kInt8);
  EXPECT_THAT(arrays[2].shape, testing::ElementsAre(256));
}

// Before Marian 1.11 the data was not padded.
TEST_F(MarianBinReaderTest, DataNeedNotBePadded) {
  std::string bytes = bytes_;
  for (const size_t header : {16, 48}) bytes[header + 25] = 0;  // 256 bytes become 0
  bytes[16 + 24] = 24;
  bytes[48 + 24] = 12;
  bytes.erase(512 + 12, 256 - 12);
  bytes.erase(256 + 24, 256 - 24);
  EXPECT_EQ(FaultOf(bytes), "");
}

TEST_F(MarianBinReaderTest, FaultsSayWhatIsWrong) {
  EXPECT_THAT(FaultWith(0, 2), HasSubstr("its version is 2"));
  EXPECT_THAT(FaultWith(8, uint64_t{1} << 62), HasSubstr("too short for the"));
  EXPECT_THAT(FaultWith(8, ~uint64_t{0}), HasSubstr("it holds the size 18446744073709551615"));
  EXPECT_THAT(FaultWith(16, 4), HasSubstr("a name does not end where it should"));
  EXPECT_THAT(FaultWith(24, 0x4101), HasSubstr("'a_Wq' has type 0x4101"));
  EXPECT_THAT(FaultWith(32, 99), HasSubstr("'a_Wq' has 99 axes"));
  EXPECT_THAT(FaultWith(40, 23), HasSubstr("'a_Wq' has 23 bytes and needs 24"));
  EXPECT_THAT(FaultWith(140, ~uint64_t{0}), HasSubstr("the shape of 'a_Wq' cannot be"));
  EXPECT_THAT(FaultOf(bytes_ + "x"), HasSubstr("1 bytes follow its end"));
  EXPECT_THAT(FaultOf(""), HasSubstr("8 bytes are missing"));
}

}  // namespace
}  // namespace heed
