#include "checkpoint/safetensors_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <string>

#include "checkpoint/safetensors_writer.h"
#include "tensor/half_precision.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

void WriteQuickly(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string FileOf(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

// The reason why a file is refused; "" if it is not.
std::string FaultOf(const std::string& content) {
  const TemporaryDirectory directory;
  WriteQuickly(directory / "some.safetensors", content);
  try {
    const SafetensorsReader reader(directory / "some.safetensors");
    return "";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr((directory / "some.safetensors").string()));
    return error.what();
  }
}

std::string Entry(const std::string& shape, const std::string& offsets,
                  const std::string& type = "F32") {
  return R"({"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

const std::string kData(16, 'x');

TEST(SafetensorsReader, AcceptsWhatTheFormatAllows) {
  EXPECT_EQ(FaultOf(FileOf("{}", "")), "");
  EXPECT_EQ(FaultOf(FileOf("{}      ", "")), "");
  EXPECT_EQ(FaultOf(FileOf(R"({"a":)" + Entry("[4]", "[0,16]") + "}", kData)), "");
  EXPECT_EQ(FaultOf(FileOf(R"({"a":)" + Entry("[0,7]", "[16,16]") + R"(,"b":)" +
                               Entry("[2,2]", "[0,16]") + R"(,"c":)" + Entry("[0]", "[0,0]") + "}",
                           kData)),
            "");
  EXPECT_EQ(FaultOf(FileOf(R"({"a":)" + Entry("[]", "[0,8]", "I64") + R"(,"b":)" +
                               Entry("[16]", "[8,16]", "F4") + "}",
                           kData)),
            "");
}

TEST(SafetensorsReader, RefusesABrokenStart) {
  EXPECT_THAT(FaultOf(""), HasSubstr("the file has only 0 bytes"));
  EXPECT_THAT(FaultOf("1234567"), HasSubstr("the file has only 7 bytes"));
  EXPECT_THAT(FaultOf(std::string(8, '\0')), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(FaultOf(FileOf(" {}", "")), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(FaultOf(FileOf("{}", "").substr(0, 9)), HasSubstr("a header of 2 bytes in a file"));
  EXPECT_THAT(FaultOf(std::string(8, '\xFF') + "{}"),
              HasSubstr("a header of 18446744073709551615"));
  EXPECT_THAT(FaultOf(FileOf(R"({"a":)", "")), HasSubstr("not JSON"));
  EXPECT_THAT(FaultOf(FileOf("{\"a\xFF\":1}", "")), HasSubstr("not JSON"));
  EXPECT_THAT(FaultOf(FileOf(R"({"a":)" + std::string(1000000, '['), "")),
              HasSubstr("nested too deeply"));
  EXPECT_LT(FaultOf(FileOf("{\"" + std::string(1000000, 'x'), "")).size(), 1000u);
}

TEST(SafetensorsReader, RefusesBrokenEntries) {
  const auto fault = [](const std::string& entries) {
    return FaultOf(FileOf("{" + entries + "}", kData));
  };
  const std::string good = Entry("[4]", "[0,16]");
  EXPECT_THAT(fault(R"("a":)" + good + R"(,"a":)" + good), HasSubstr("'a' is given twice"));
  EXPECT_THAT(fault(R"("a":{"dtype":"F32","dtype":"F32","shape":[4],"data_offsets":[0,16]})"),
              HasSubstr("'dtype' is given twice"));
  EXPECT_THAT(fault(R"("a":7)"), HasSubstr("lacks dtype"));
  EXPECT_THAT(fault(R"("a":{"dtype":"F32","shape":[4]})"), HasSubstr("lacks dtype"));
  EXPECT_THAT(fault(R"("a":)" + Entry("[4]", "[0,16,16]")), HasSubstr("lacks dtype"));
  EXPECT_THAT(fault(R"("a":)" + Entry("[4]", "[0,16]", "F31")), HasSubstr("'F31' is unknown"));
  for (const char* shape :
       {"[-4]", "[4.0]", "[\"4\"]", "[9223372036854775808]", "[1e3]", "[null]"}) {
    EXPECT_THAT(fault(R"("a":)" + Entry(shape, "[0,16]")), HasSubstr("shape holds something"))
        << shape;
  }
  EXPECT_THAT(fault(R"("a":)" + Entry("[4294967296,4294967296]", "[0,16]")),
              HasSubstr("overflows"));
  EXPECT_THAT(fault(R"("a":)" + Entry("[2305843009213693956]", "[0,16]")),
              HasSubstr("bytes do not hold"));
  EXPECT_THAT(fault(R"("a":)" + Entry("[3]", "[0,16]")), HasSubstr("16 bytes do not hold 3"));
  EXPECT_THAT(fault(R"("a":)" + Entry("[3]", "[0,2]", "F4")), HasSubstr("bytes do not hold"));
  EXPECT_THAT(fault(R"("a":)" + Entry("[0]", "[16,0]")), HasSubstr("ends before it begins"));
  EXPECT_THAT(fault(R"("__metadata__":[1])"), HasSubstr("metadata is not an object"));
  EXPECT_THAT(fault(R"("__metadata__":{"a":1})"), HasSubstr("metadata 'a' is not a string"));
}

TEST(SafetensorsReader, RefusesHolesOverlapsAndRests) {
  const auto fault = [](const std::string& a, const std::string& b) {
    return FaultOf(FileOf(R"({"a":)" + a + R"(,"b":)" + b + "}", kData));
  };
  EXPECT_THAT(fault(Entry("[2]", "[0,8]"), Entry("[1]", "[12,16]")),
              HasSubstr("'b' begins at byte 12 of the data, not at 8"));
  EXPECT_THAT(fault(Entry("[2]", "[0,8]"), Entry("[3]", "[4,16]")),
              HasSubstr("'b' begins at byte 4 of the data, not at 8"));
  EXPECT_THAT(fault(Entry("[2]", "[0,8]"), Entry("[1]", "[8,12]")),
              HasSubstr("describes 12 bytes of data, the file has 16"));
  EXPECT_THAT(fault(Entry("[2]", "[0,8]"), Entry("[4]", "[8,24]")),
              HasSubstr("describes 24 bytes of data, the file has 16"));
  EXPECT_THAT(FaultOf(FileOf("{}", "x")), HasSubstr("describes 0 bytes"));
}

class ReadingTensors : public testing::Test {
 protected:
  ReadingTensors() {
    WriteSafetensors(path_,
                     {MatrixToWrite("matrix", MatrixView{floats_.data(), DType::kFloat32, 2, 2, 2}),
                      MatrixToWrite("wide", MatrixView{doubles_.data(), DType::kFloat64, 1, 2, 2}),
                      IntegerToWrite("count", 7)});
  }
  std::string FaultOfReading(const std::string& name, const MatrixView& matrix) {
    try {
      SafetensorsReader(path_).Read(name, matrix);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "file";
  std::array<float, 4> floats_ = {1, 2, 3, 0.1F};
  std::array<double, 2> doubles_ = {0.1, 1e300};
};

TEST_F(ReadingTensors, ConvertsBetweenFloatAndDouble) {
  const SafetensorsReader reader(path_);
  std::array<double, 4> wide{};
  reader.Read("matrix", {wide.data(), DType::kFloat64, 2, 2, 2});
  EXPECT_THAT(wide, testing::ElementsAre(1, 2, 3, double{0.1F}));
  std::array<float, 2> narrow{};
  reader.Read("wide", {narrow.data(), DType::kFloat32, 1, 2, 2});
  EXPECT_THAT(narrow, testing::ElementsAre(0.1F, std::numeric_limits<float>::infinity()));
}

TEST_F(ReadingTensors, FillsRowsOfAWiderMatrix) {
  std::array<float, 6> wider = {9, 9, 9, 9, 9, 9};
  SafetensorsReader(path_).Read("matrix", {wider.data(), DType::kFloat32, 2, 2, 3});
  EXPECT_THAT(wider, testing::ElementsAre(1, 2, 9, 3, 0.1F, 9));
}

TEST_F(ReadingTensors, WhatDoesNotFitNamesFileTensorAndShapes) {
  std::array<float, 6> values{};
  const auto matrix = [&](int64_t rows, int64_t columns) {
    return MatrixView{values.data(), DType::kFloat32, rows, columns, columns};
  };
  const std::string shape = FaultOfReading("matrix", matrix(2, 3));
  EXPECT_THAT(shape, HasSubstr(path_.string()));
  EXPECT_THAT(shape, HasSubstr("'matrix' has shape [2, 2], the model needs [2, 3]"));
  EXPECT_THAT(FaultOfReading("wide", matrix(2, 1)), HasSubstr("has shape [2]"));
  EXPECT_THAT(FaultOfReading("absent", matrix(1, 1)), HasSubstr("has no tensor 'absent'"));
  std::array<int32_t, 4> whole{};
  EXPECT_THAT(FaultOfReading("matrix", {whole.data(), DType::kInt32, 2, 2, 2}),
              HasSubstr("cannot be read as int32"));
}

TEST_F(ReadingTensors, IntegersAreOneI64) {
  const SafetensorsReader reader(path_);
  EXPECT_EQ(reader.ReadInteger("count"), 7);
  EXPECT_THROW(reader.ReadInteger("wide"), UserError);
  EXPECT_THROW(reader.ReadInteger("absent"), UserError);
  EXPECT_TRUE(reader.Contains("count"));
  EXPECT_FALSE(reader.Contains("absent"));
}

// One random change: a byte, a run of bytes, a cut, an addition, a digit of the header, its length.
std::string Mutate(std::string content, std::mt19937_64& random) {
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  switch (below(7)) {
    case 0:
      content[below(content.size())] = static_cast<char>(random());
      break;
    case 1:
      content.resize(below(content.size()));
      break;
    case 2:
      content += std::string(1 + below(16), static_cast<char>(random()));
      break;
    case 3:
      content[below(std::min<size_t>(content.size(), 8))] = static_cast<char>(random());
      break;
    case 4: {
      const size_t from = below(content.size());
      content.erase(from, 1 + below(9));
      break;
    }
    case 5: {
      const size_t from = below(content.size());
      content.insert(below(content.size()), content.substr(from, 1 + below(40)));
      break;
    }
    default:
      for (size_t i = 8 + below(200); i < content.size(); ++i) {
        if (content[i] >= '0' && content[i] <= '9') {
          content[i] = static_cast<char>('0' + below(10));
          break;
        }
      }
  }
  return content;
}

// Reads every byte of every tensor, so that a sanitizer sees a pointer out of range.
uint64_t SumOfBytes(const SafetensorsReader& reader) {
  uint64_t sum = 0;
  for (const StoredTensor& tensor : reader.tensors()) {
    for (int64_t i = 0; i < tensor.end - tensor.begin; ++i) {
      sum += static_cast<uint64_t>(tensor.data[i]);
    }
  }
  return sum;
}

TEST_F(ReadingTensors, MutatedFilesAreReadOrRefusedButNeverCrash) {
  const std::string good = ReadFile(path_);
  const std::filesystem::path mutated = directory_ / "mutated.safetensors";
  std::mt19937_64 random(1);
  int64_t refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string content = Mutate(good, random);
    if (random() % 2 == 0 && !content.empty()) content = Mutate(content, random);
    WriteQuickly(mutated, content);
    try {
      const SafetensorsReader reader(mutated);
      SumOfBytes(reader);
    } catch (const UserError& error) {
      ++refused;
      ASSERT_THAT(error.what(), HasSubstr("mutated.safetensors"));
    }
  }
  EXPECT_GT(refused, 750);
  EXPECT_LT(refused, 1500);
}

TEST(SafetensorsReader, SixteenBitFloatsBecomeWhatTheMatrixHolds) {
  const TemporaryDirectory directory;
  const auto halves = [](uint16_t (*convert)(float)) {
    return [convert](AtomicFile& file) {
      const std::array<uint16_t, 2> values = {convert(1.5F), convert(-0.25F)};
      file.Write(values.data(), sizeof values);
    };
  };
  WriteSafetensors(directory / "file", {{"f16", "F16", {2}, halves(&ToFloat16)},
                                        {"bf16", "BF16", {1, 2}, halves(&ToBfloat16)}});
  const SafetensorsReader reader(directory / "file");
  for (const char* name : {"f16", "bf16"}) {
    std::array<float, 2> floats{};
    std::array<double, 2> doubles{};
    reader.Read(name, {floats.data(), DType::kFloat32, 1, 2, 2});
    reader.Read(name, {doubles.data(), DType::kFloat64, 1, 2, 2});
    EXPECT_EQ(floats, (std::array<float, 2>{1.5F, -0.25F})) << name;
    EXPECT_EQ(doubles, (std::array<double, 2>{1.5, -0.25})) << name;
    std::array<int32_t, 2> integers{};
    EXPECT_THROW(reader.Read(name, {integers.data(), DType::kInt32, 1, 2, 2}), UserError);
  }
}

}  // namespace
}  // namespace heed
