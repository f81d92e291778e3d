#include "export/marian_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/small_marian_file.h"
#include "tests/export/source_values.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"
#include "util/philox.h"

namespace heed {
namespace {

class MarianReaderTest : public testing::TestWithParam<const char*> {
 protected:
  MarianReaderTest() { WriteSmallMarianFile(path_); }

  // Opens and reads everything; whether that ended well.
  bool Reads(const std::string& bytes) {
    WriteFile(path_, bytes);
    try {
      const MarianReader reader(path_);
      ValuesOf(reader.Rows("a_bq"));
      ValuesOf(reader.Columns("a_Wq"));
      static_cast<void>(reader.Text(kMarianConfig));
      return true;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(path_.string()));
      return false;
    }
  }
  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / GetParam();
};

TEST_P(MarianReaderTest, ReadsRowsColumnsAndText) {
  const MarianReader reader(path_);
  EXPECT_EQ(ValuesOf(reader.Rows("a_Wq")), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(reader.Rows("a_Wq").is_vector);
  EXPECT_EQ(ValuesOf(reader.Columns("a_Wq")), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(reader.Columns("a_Wq").rows, 3);
  EXPECT_TRUE(reader.Rows("a_bq").is_vector);
  EXPECT_EQ(reader.Text(kMarianConfig), "dim-emb: 16\n");
  EXPECT_TRUE(reader.Contains("a_bq"));
  EXPECT_FALSE(reader.Contains("b_bq"));
  EXPECT_THROW(reader.Rows("b_bq"), UserError);
  EXPECT_THROW(reader.Rows(kMarianConfig), UserError);
  EXPECT_THROW(static_cast<void>(reader.Text("a_bq")), UserError);
}

TEST_P(MarianReaderTest, NamesComeOnce) {
  std::string bytes = ReadFile(path_);
  for (size_t at = bytes.find("a_bq"); at != std::string::npos; at = bytes.find("a_bq")) {
    bytes.replace(at, 4, "a_Wq");
  }
  EXPECT_FALSE(Reads(bytes));
}

TEST_P(MarianReaderTest, EveryTruncationIsAUserError) {
  const std::string bytes = ReadFile(path_);
  EXPECT_TRUE(Reads(bytes));
  for (size_t length = 0; length < bytes.size(); length += 7) {
    EXPECT_FALSE(Reads(bytes.substr(0, length))) << length;
  }
}

// Whatever a byte is, the reader ends with values or a UserError.
TEST_P(MarianReaderTest, ChangedBytesNeverCrash) {
  const std::string bytes = ReadFile(path_);
  const RandomStream stream{.seed = 5};
  for (uint32_t i = 0; i < 400; ++i) {
    std::string changed = bytes;
    for (uint32_t k = 0; k < 1 + i % 3; ++k) {
      const uint32_t random = RandomBits(stream, 4 * i + k);
      changed[(random >> 8) % bytes.size()] = static_cast<char>(random);
    }
    Reads(changed);
  }
}

INSTANTIATE_TEST_SUITE_P(BothKinds, MarianReaderTest, testing::Values("model.npz", "model.bin"));

}  // namespace
}  // namespace heed
