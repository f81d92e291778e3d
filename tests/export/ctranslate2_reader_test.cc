#include "export/ctranslate2_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/export/small_ctranslate2_file.h"
#include "tests/export/source_values.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

class Ctranslate2ReaderTest : public testing::Test {
 protected:
  std::string Write(ElementType type) {
    WriteSmallFile(path_, type);
    return ReadFile(path_);
  }
  std::string FaultOf(const std::string& bytes) {
    WriteFile(path_, bytes);
    try {
      const Ctranslate2Reader reader(path_);
      reader.Rows("b/weight");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "model.bin";
};

TEST_F(Ctranslate2ReaderTest, ReadsEveryType) {
  for (const ElementType type :
       {ElementType::kFloat32, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kInt8}) {
    Write(type);
    const Ctranslate2Reader reader(path_);
    EXPECT_EQ(ValuesOf(reader.Rows("b/weight")), (std::vector<float>{-1, 0, 1, -2, 0, 2}));
    EXPECT_EQ(ValuesOf(reader.Rows("c/weight")), ValuesOf(reader.Rows("b/weight")));
    EXPECT_EQ(ValuesOf(reader.Rows("b/bias")), (std::vector<float>{-2, 0, 2}));
    EXPECT_TRUE(reader.Rows("b/bias").is_vector);
    EXPECT_EQ(reader.Scalar("a/heads"), -300);
    EXPECT_EQ(reader.Scalar("a/nothing"), std::nullopt);
    EXPECT_TRUE(reader.Contains("c/weight") && reader.IsAlias("c/weight"));
    EXPECT_FALSE(reader.Contains("d/weight") || reader.IsAlias("b/weight"));
    EXPECT_THROW(reader.Rows("d/weight"), UserError);
    EXPECT_THROW(reader.Rows("a/heads"), UserError);
    EXPECT_THROW(static_cast<void>(reader.Scalar("b/bias")), UserError);
  }
}

TEST_F(Ctranslate2ReaderTest, EveryTruncationIsAUserError) {
  const std::string bytes = Write(ElementType::kInt8);
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(FaultOf(bytes.substr(0, length)), "") << length;
  }
  EXPECT_THAT(FaultOf(bytes + "x"), HasSubstr("1 bytes follow its end"));
}

// Whatever a byte is, the reader ends with a value or a UserError.
TEST_F(Ctranslate2ReaderTest, ChangedBytesNeverCrash) {
  const std::string bytes = Write(ElementType::kInt8);
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[i] = value;
      FaultOf(changed);
    }
  }
}

TEST_F(Ctranslate2ReaderTest, FaultsSayWhatIsWrong) {
  const std::string bytes = Write(ElementType::kInt8);
  std::string other = bytes;
  other[0] = 9;
  EXPECT_THAT(FaultOf(other), HasSubstr("binary version 9"));
  other = bytes;
  other.replace(other.find("Transformer"), 11, "XYZsformerX");
  EXPECT_THAT(FaultOf(other), HasSubstr("holds a XYZ"));
  other = bytes;
  other.replace(other.find("b/bias"), 6, "a/flag");
  EXPECT_THAT(FaultOf(other), HasSubstr("'a/flag' is given twice"));
  other = bytes;
  other.replace(other.find("weight_scale"), 12, "weight_nails");
  EXPECT_THAT(FaultOf(other), HasSubstr("has no _scale"));
  other = bytes;
  other.replace(other.rfind("b/weight"), 8, "d/weight");
  EXPECT_THAT(FaultOf(other), HasSubstr("stands for 'd/weight', which is absent"));
}

// 2^32 - 1 times itself three times over does not fit 64 bits.
TEST_F(Ctranslate2ReaderTest, ShapesThatOverflowAreRefused) {
  std::string bytes(ReadFile((Write(ElementType::kFloat32), path_)).substr(0, 4 + 18 + 4));
  bytes +=
      std::string("\1\0\0\0\2\0x\0\4", 9) + std::string(16, '\xff') + std::string("\0\0\0\0\0", 5);
  EXPECT_THAT(FaultOf(bytes + std::string(4, '\0')), HasSubstr("the shape of 'x' overflows"));
}

}  // namespace
}  // namespace heed
