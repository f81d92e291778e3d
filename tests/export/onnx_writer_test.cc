#include "export/onnx_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/export/small_onnx_file.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed {
namespace {

using std::string_literals::operator""s;

// By onnx.proto and protobuf.dev, by hand.
TEST(OnnxWriter, WritesTheBytesOfTheSpecification) {
  OnnxGraph graph("g");
  const OnnxValue x = graph.Input({"x", OnnxType::kFloat32, {"n", 2}});
  const OnnxValue t =
      graph.Tensor(SmallOnnxTensor<float>("t", OnnxType::kFloat32, {1, 2}, {1.0F, -2.0F}));
  graph.Output({"y", OnnxType::kFloat32, {2}}, graph.Add("Op", {x, t}, {{"a", int64_t{-1}}}));
  const std::string op =
      "\x0A\x01x\x0A\x01t\x12\x06Op_0.0\x1A\x04Op_0\x22\x02Op"
      "\x2A\x11\x0A\x01"
      "a\x18\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\xA0\x01\x02"s;
  const std::string identity = "\x0A\x06Op_0.0\x12\x01y\x1A\x08output.y\x22\x08Identity"s;
  const std::string structure =
      "\x12\x01g"
      "\x5A\x14\x0A\x01x\x12\x0F\x0A\x0D\x08\x01\x12\x09\x0A\x03\x12\x01n\x0A\x02\x08\x02"
      "\x62\x0F\x0A\x01y\x12\x0A\x0A\x08\x08\x01\x12\x04\x0A\x02\x08\x02"
      "\x0A"s +
      static_cast<char>(op.size()) + op + "\x0A"s + static_cast<char>(identity.size()) + identity;
  const std::string tensor =
      "\x2A\x13\x08\x01\x08\x02\x10\x01\x42\x01t\x4A\x08\x00\x00\x80\x3F\x00\x00\x00\xC0"s;
  const std::string body = structure + tensor;
  ASSERT_TRUE(body.size() >= 128 && body.size() < 256);  // two bytes of length
  const std::string length = {static_cast<char>(body.size()), '\x01'};

  const TemporaryDirectory directory;
  WriteOnnxFile(directory / "m.onnx", graph);
  EXPECT_EQ(ReadFile(directory / "m.onnx"),
            "\x08\x08\x12\x04Heed\x42\x02\x10\x11\x3A"s + length + body);
  EXPECT_EQ(OnnxFileBytes(graph), FileSize(directory / "m.onnx"));
}

TEST(OnnxWriter, TensorsThatWriteTooMuchAreBugs) {
  OnnxGraph graph("g");
  graph.Tensor(SmallOnnxTensor<float>("t", OnnxType::kFloat32, {1}, {1.0F, 2.0F}));
  const TemporaryDirectory directory;
  EXPECT_THROW(WriteOnnxFile(directory / "m.onnx", graph), InternalError);
  EXPECT_FALSE(std::filesystem::exists(directory / "m.onnx"));
}

TEST(OnnxWriter, SizesAreKnownBeforeAnythingIsWritten) {
  OnnxGraph graph("g");
  graph.Tensor({"t", OnnxType::kFloat16, {int64_t{1} << 20, int64_t{1} << 11}, {}});
  EXPECT_GT(OnnxFileBytes(graph), int64_t{1} << 32);
  const TemporaryDirectory directory;
  EXPECT_THROW(WriteOnnxFile(directory / "m.onnx", graph), InternalError);
}

}  // namespace
}  // namespace heed
