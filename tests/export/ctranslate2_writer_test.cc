#include "export/ctranslate2_writer.h"

#include <gtest/gtest.h>

#include <string_view>

#include "tests/export/small_ctranslate2_file.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed {
namespace {

using std::string_view_literals::operator""sv;

std::string Bytes(ElementType type) {
  const TemporaryDirectory directory;
  WriteSmallFile(directory / "model.bin", type);
  return ReadFile(directory / "model.bin");
}

// Spelt out by hand from the description of the format.
TEST(Ctranslate2Writer, WritesTheFormatToTheByte) {
  const std::string_view wanted =
      "\6\0\0\0"
      "\x10\0TransformerSpec\0"
      "\7\0\0\0"
      "\4\0\0\0"
      "\7\0a/flag\0"
      "\0"
      "\1"
      "\1\0\0\0"
      "\1"
      "\x08\0a/heads\0"
      "\0"
      "\2"
      "\2\0\0\0"
      "\xd4\xfe"
      "\7\0b/bias\0"
      "\1"
      "\3\0\0\0"
      "\0"
      "\x0c\0\0\0"
      "\0\0\0\xc0"
      "\0\0\0\0"
      "\0\0\0\x40"
      "\x09\0b/weight\0"
      "\2"
      "\2\0\0\0"
      "\3\0\0\0"
      "\0"
      "\x18\0\0\0"
      "\0\0\x80\xbf"
      "\0\0\0\0"
      "\0\0\x80\x3f"
      "\0\0\0\xc0"
      "\0\0\0\0"
      "\0\0\0\x40"
      "\1\0\0\0"
      "\x09\0c/weight\0"
      "\x09\0b/weight\0"sv;
  EXPECT_EQ(Bytes(ElementType::kFloat32), wanted);
}

TEST(Ctranslate2Writer, Int8WeightsHaveFactorsAndTheRestStaysFloat) {
  const std::string bytes = Bytes(ElementType::kInt8);
  EXPECT_NE(bytes.find("b/weight\0"
                       "\2"
                       "\2\0\0\0"
                       "\3\0\0\0"
                       "\1"
                       "\6\0\0\0"
                       "\x81\0\x7f"
                       "\x81\0\x7f"sv),
            std::string::npos);
  EXPECT_NE(bytes.find("b/weight_scale\0"
                       "\1"
                       "\2\0\0\0"
                       "\0"
                       "\x08\0\0\0"
                       "\0\0\xfe\x42"
                       "\0\0\x7e\x42"sv),
            std::string::npos);
  EXPECT_NE(bytes.find("b/bias\0"
                       "\1"
                       "\3\0\0\0"
                       "\0"sv),
            std::string::npos);
}

TEST(Ctranslate2Writer, SixteenBitsForAllTensors) {
  EXPECT_NE(Bytes(ElementType::kFloat16)
                .find("b/bias\0"
                      "\1"
                      "\3\0\0\0"
                      "\4"
                      "\6\0\0\0"
                      "\0\xc0"
                      "\0\0"
                      "\0\x40"sv),
            std::string::npos);
  EXPECT_NE(Bytes(ElementType::kBfloat16)
                .find("b/bias\0"
                      "\1"
                      "\3\0\0\0"
                      "\5"
                      "\6\0\0\0"
                      "\0\xc0"
                      "\0\0"
                      "\0\x40"sv),
            std::string::npos);
}

TEST(Ctranslate2Writer, OneNameTwiceIsABug) {
  const TemporaryDirectory directory;
  const auto flag = Ctranslate2Scalar("a", Ctranslate2Type::kInt8, 1);
  EXPECT_THROW(WriteCtranslate2File(directory / "x", {flag, flag}, {}), InternalError);
  EXPECT_THROW(Ctranslate2Scalar("a", Ctranslate2Type::kInt8, 300)
                   .write(*std::make_unique<AtomicFile>(directory / "y")),
               InternalError);
}

}  // namespace
}  // namespace heed
