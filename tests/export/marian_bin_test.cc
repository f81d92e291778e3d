#include "export/marian_bin.h"

#include <gtest/gtest.h>

#include <array>

#include "export/marian_bin_reader.h"
#include "tests/export/small_marian_file.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"

namespace heed {
namespace {

class MarianBinTest : public testing::Test {
 protected:
  MarianBinTest() { WriteSmallMarianFile(path_); }
  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "model.bin";
};

TEST_F(MarianBinTest, HeadersSayWhatFollows) {
  const std::string bytes = ReadFile(path_);
  std::array<uint64_t, 14> numbers;
  bytes.copy(reinterpret_cast<char*>(numbers.data()), sizeof numbers);
  EXPECT_EQ(numbers, (std::array<uint64_t, 14>{1, 3, 5, 0x404, 2, 256, 5, 0x404, 2, 256, 18, 0x101,
                                               1, 256}));
  EXPECT_EQ(bytes.substr(112, 28), std::string("a_Wq\0a_bq\0special:model.yml\0", 28));
  EXPECT_EQ(bytes.substr(140, 8), std::string("\2\0\0\0\3\0\0\0", 8));
}

TEST_F(MarianBinTest, EveryArrayBeginsAtABlock) {
  const std::string bytes = ReadFile(path_);
  EXPECT_EQ(bytes.size() % 256, 0U);
  const MappedFile file(path_);
  for (const MarianArray& array : FindMarianBinArrays(file)) {
    EXPECT_EQ((array.data - file.data()) % 256, 0) << array.name;
  }
}

// What Marian's sources write where the headers end at a block already: 256 zeros.
TEST_F(MarianBinTest, PaddingIsNeverEmpty) {
  // 16 + 32 + name + 8 bytes of shape + 8 = 256.
  WriteMarianBin(path_, {FloatItem(std::string(191, 'x'), {1, 1}, {1})});
  EXPECT_EQ(FileSize(path_), 256 + 256 + 256);
}

}  // namespace
}  // namespace heed
