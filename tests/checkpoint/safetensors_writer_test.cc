#include "checkpoint/safetensors_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <string>

#include "checkpoint/safetensors_reader.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

template <class T, size_t kCount>
MatrixView Matrix(std::array<T, kCount>& values, int64_t rows, int64_t columns, int64_t stride) {
  return {values.data(), kDTypeOf<T>, rows, columns, stride};
}

TEST(SafetensorsWriter, BytesAreThoseOfTheFormat) {
  const TemporaryDirectory directory;
  std::array<float, 2> values = {1.0F, -2.0F};
  WriteSafetensors(directory / "file", {MatrixToWrite("w", Matrix(values, 2, 1, 1))});
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})";
  const size_t padded = (header.size() + 7) / 8 * 8;
  std::string expected(1, static_cast<char>(padded));
  expected += std::string(7, '\0') + header + std::string(padded - header.size(), ' ') +
              std::string("\x00\x00\x80\x3F\x00\x00\x00\xC0", 8);
  EXPECT_EQ(ReadFile(directory / "file"), expected);
}

TEST(SafetensorsWriter, ReportsSizeAndChecksum) {
  const TemporaryDirectory directory;
  std::array<float, 2> values = {1.0F, -2.0F};
  const WrittenFile written =
      WriteSafetensors(directory / "file", {MatrixToWrite("w", Matrix(values, 1, 2, 2))});
  EXPECT_EQ(written.bytes, FileSize(directory / "file"));
  EXPECT_EQ(written.crc32, Crc32OfFile(directory / "file"));
}

TEST(SafetensorsWriter, EveryTensorIsAligned) {
  const TemporaryDirectory directory;
  std::array<float, 3> odd = {1, 2, 3};
  std::array<double, 1> wide = {4};
  std::array<int32_t, 1> whole = {5};
  WriteSafetensors(
      directory / "file",
      {MatrixToWrite("a", Matrix(odd, 1, 3, 3)), MatrixToWrite("z", Matrix(wide, 1, 1, 1)),
       MatrixToWrite("b", Matrix(whole, 1, 1, 1)), IntegerToWrite("y", 6)});
  const SafetensorsReader reader(directory / "file");
  std::vector<std::string> order;
  for (const StoredTensor& tensor : reader.tensors()) {
    order.push_back(tensor.name);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data) % (tensor.type.bits / 8), 0u) << tensor.name;
  }
  EXPECT_THAT(order, testing::ElementsAre("y", "z", "a", "b"));
}

TEST(SafetensorsWriter, RowsOfAWiderMatrixAreWrittenWithoutTheRest) {
  const TemporaryDirectory directory;
  std::array<float, 6> values = {1, 2, 99, 3, 4, 99};
  WriteSafetensors(directory / "file", {MatrixToWrite("w", Matrix(values, 2, 2, 3))});
  std::array<float, 4> read{};
  SafetensorsReader(directory / "file").Read("w", Matrix(read, 2, 2, 2));
  EXPECT_THAT(read, testing::ElementsAre(1, 2, 3, 4));
}

TEST(SafetensorsWriter, NoTensorsAreAFileToo) {
  const TemporaryDirectory directory;
  WriteSafetensors(directory / "file", {}, {{"model", "none \"quoted\""}});
  const SafetensorsReader reader(directory / "file");
  EXPECT_TRUE(reader.tensors().empty());
  EXPECT_EQ(reader.metadata().at("model"), "none \"quoted\"");
  EXPECT_EQ(reader.metadata().at("format"), "pt");
}

TEST(SafetensorsWriter, WrongUseIsOurBug) {
  const TemporaryDirectory directory;
  EXPECT_THROW(
      WriteSafetensors(directory / "file", {IntegerToWrite("a", 1), IntegerToWrite("a", 2)}),
      InternalError);
  TensorToWrite wrong = IntegerToWrite("a", 1);
  wrong.shape = {2};
  EXPECT_THROW(WriteSafetensors(directory / "file", {wrong}), InternalError);
  wrong.type = "F31";
  EXPECT_THROW(WriteSafetensors(directory / "file", {wrong}), InternalError);
  EXPECT_FALSE(std::filesystem::exists(directory / "file"));
}

// Needs a Python interpreter, named by HEED_PYTHON, with tests/requirements.txt installed.
TEST(SafetensorsWriter, ThePythonLibraryReadsTheFileAndWeReadItsFile) {
  const char* python = std::getenv("HEED_PYTHON");
  if (python == nullptr || *python == '\0') {
    GTEST_SKIP() << "HEED_PYTHON does not name a Python with tests/requirements.txt installed";
  }
  const TemporaryDirectory directory;
  std::array<float, 6> floats = {1.5F, -0.0F, 3e-45F, 4, 5, 6};
  std::array<double, 2> doubles = {0.1, -1e300};
  std::array<int32_t, 3> integers = {-1, 0, 2147483647};
  WriteSafetensors(directory / "ours",
                   {MatrixToWrite("floats", Matrix(floats, 2, 3, 3)),
                    MatrixToWrite("doubles", Matrix(doubles, 1, 2, 2)),
                    MatrixToWrite("integers", Matrix(integers, 3, 1, 1)),
                    IntegerToWrite("count", int64_t{1} << 60)},
                   {{"update", "12"}});
  const std::string command =
      fmt::format("'{}' '{}/tests/checkpoint/check_safetensors.py' '{}' '{}'", python,
                  HEED_SOURCE_DIR, (directory / "ours").string(), (directory / "theirs").string());
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << python << " lacks safetensors or numpy";
  ASSERT_EQ(WEXITSTATUS(status), 0);

  const SafetensorsReader reader(directory / "theirs");
  std::array<float, 6> read{};
  reader.Read("floats", Matrix(read, 2, 3, 3));
  EXPECT_EQ(read, floats);
  EXPECT_EQ(reader.ReadInteger("count"), int64_t{1} << 60);
  EXPECT_EQ(reader.Get("half").type.name, "F16");
  EXPECT_EQ(reader.Get("empty").elements, 0);
  EXPECT_EQ(reader.metadata().at("from"), "python");
}

}  // namespace
}  // namespace heed
