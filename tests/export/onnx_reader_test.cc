#include "export/onnx_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "export/onnx_writer.h"
#include "tests/export/small_onnx_file.h"
#include "tests/export/source_values.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;

class OnnxReaderTest : public testing::Test {
 protected:
  OnnxReaderTest() {
    WriteOnnxFile(path_, SmallOnnxGraph());
    bytes_ = ReadFile(path_);
  }
  // Of the file with these bytes and of all that is read from it.
  std::string FaultOf(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;  // thousands of files: without syncing each
    try {
      const OnnxReader reader(path_);
      for (const char* name : {"a.weight", "a.bias", "halves"}) ValuesOf(reader.Rows(name));
      reader.LayerNormEpsilon();
      reader.InputSize("x", 1);
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_.string()));
      return error.what();
    }
    return "";
  }
  std::string FaultAfter(const std::string& from, const std::string& to) {
    std::string changed = bytes_;
    changed.replace(changed.find(from), from.size(), to);
    return FaultOf(changed);
  }
  std::string FaultOf(const OnnxTensor& added) {
    OnnxGraph graph = SmallOnnxGraph();
    graph.Tensor(added);
    WriteOnnxFile(path_, graph);
    return FaultOf(ReadFile(path_));
  }

  const TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_ / "model.onnx";
  std::string bytes_;
};

TEST_F(OnnxReaderTest, ReadsTensorsAsWeHaveThem) {
  const OnnxReader reader(path_);
  const RowSource weight = reader.Rows("a.weight");
  EXPECT_EQ(weight.rows, 2);
  EXPECT_EQ(weight.columns, 3);
  EXPECT_EQ(ValuesOf(weight), (std::vector<float>{0.5F, 1, 63.5F, -254, 0, 6}));
  EXPECT_TRUE(reader.Rows("a.bias").is_vector);
  EXPECT_EQ(ValuesOf(reader.Rows("a.bias")), (std::vector<float>{-1, 4}));
  EXPECT_EQ(ValuesOf(reader.Rows("halves")), (std::vector<float>{1, -2}));
  EXPECT_TRUE(reader.Contains("a.weight") && reader.Contains("a.bias"));
  EXPECT_FALSE(reader.Contains("a"));
  EXPECT_THROW(reader.Rows("a"), UserError);
}

TEST_F(OnnxReaderTest, ReadsWhatTheGraphSaysOfItself) {
  const OnnxReader reader(path_);
  EXPECT_TRUE(reader.Runs("Transpose"));
  EXPECT_FALSE(reader.Runs("Softmax"));
  EXPECT_EQ(reader.LayerNormEpsilon(), 1e-5);
  EXPECT_EQ(reader.InputSize("x", 1), 7);
  EXPECT_THROW(reader.InputSize("x", 0), UserError);
  EXPECT_THROW(reader.InputSize("x", 2), UserError);
  EXPECT_THROW(reader.InputSize("y", 0), UserError);
}

TEST_F(OnnxReaderTest, EveryTruncationIsAUserError) {
  for (size_t length = 0; length < bytes_.size(); ++length) {
    EXPECT_NE(FaultOf(bytes_.substr(0, length)), "") << length;
  }
}

// Whatever a byte is, the reader ends with values or a UserError.
TEST_F(OnnxReaderTest, ChangedBytesNeverCrash) {
  for (size_t i = 0; i < bytes_.size(); ++i) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = bytes_;
      changed[i] = value;
      FaultOf(changed);
    }
  }
}

TEST_F(OnnxReaderTest, FaultsSayWhatIsWrong) {
  EXPECT_EQ(FaultOf(bytes_), "");
  EXPECT_THAT(FaultAfter("a.weight_scale", "a.weight_nails"), HasSubstr("has no _scale"));
  EXPECT_THAT(FaultAfter("a.weight_quantized", "a.bottle_quantized"), HasSubstr("no 'a.weight'"));
  EXPECT_THAT(FaultOf(SmallOnnxTensor<int64_t>("a.weight", OnnxType::kInt64, {}, {1})), "");
  EXPECT_THAT(FaultOf(SmallOnnxTensor<int8_t>("z", static_cast<OnnxType>(99), {}, {})),
              HasSubstr("'z' has type 99"));
  EXPECT_THAT(FaultOf(bytes_ + bytes_), HasSubstr("two graphs"));
  EXPECT_THAT(FaultOf(""), HasSubstr("no graph"));
  const OnnxTensor twice = SmallOnnxTensor<float>("q.bias", OnnxType::kFloat32, {1}, {1.0F});
  OnnxGraph graph = SmallOnnxGraph();
  graph.Tensor(twice);
  WriteOnnxFile(path_, graph);
  bytes_ = ReadFile(path_);
  bytes_.replace(bytes_.find("q.bias"), 6, "a.bias");
  EXPECT_THAT(FaultOf(bytes_), HasSubstr("'a.bias' is given twice"));
}

// [2, 3] to [-1, 3] and to sizes whose product overflows.
TEST_F(OnnxReaderTest, ShapesThatCannotBeAreRefused) {
  for (const int64_t size : {int64_t{-1}, int64_t{1} << 62}) {
    OnnxTensor tensor = SmallOnnxTensor<float>("z", OnnxType::kFloat32, {0, size}, {});
    OnnxGraph graph("g");
    graph.Tensor(tensor);
    WriteOnnxFile(path_, graph);
    std::string bytes = ReadFile(path_);
    bytes[bytes.find("\x08\x00\x08", 0, 3) + 1] = 4;  // the size 0
    EXPECT_THAT(FaultOf(bytes), HasSubstr("the shape of 'z' cannot be")) << size;
  }
}

TEST_F(OnnxReaderTest, TwoEpsilonsAreRefused) {
  OnnxGraph graph = SmallOnnxGraph();
  graph.Add("LayerNormalization", {"x"}, {{"epsilon", 1e-6}});
  WriteOnnxFile(path_, graph);
  EXPECT_THAT(FaultOf(ReadFile(path_)), HasSubstr("2 values of epsilon"));
}

}  // namespace
}  // namespace heed
