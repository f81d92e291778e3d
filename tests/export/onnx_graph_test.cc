#include "export/onnx_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/export/small_onnx_file.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(OnnxGraph, EveryValueHasItsOwnName) {
  OnnxGraph graph("g");
  const OnnxValue x = graph.Input({"x", OnnxType::kFloat32, {2}});
  const auto halves = graph.AddSeveral("Split", {x}, {{"axis", int64_t{0}}}, 2);
  const OnnxValue sum = graph.Add("Add", {halves[0], halves[1]});
  const OnnxValue twice = graph.Add("Add", {sum, sum});
  graph.Output({"y", OnnxType::kFloat32, {1}}, graph.Cast(twice, OnnxType::kFloat32));
  std::set<std::string> names = {x, halves[0], halves[1], sum, twice};
  EXPECT_EQ(names.size(), 5U);
  ASSERT_EQ(graph.nodes().size(), 5U);
  EXPECT_EQ(graph.nodes().back().outputs, std::vector<OnnxValue>{"y"});
  EXPECT_EQ(graph.nodes()[3].kind, "Cast");
  EXPECT_EQ(std::get<int64_t>(graph.nodes()[3].attributes[0].value), 1);
}

TEST(OnnxGraph, TensorsOfOneNameAreOne) {
  OnnxGraph graph("g");
  EXPECT_EQ(graph.Integers({1, -2}), graph.Integers({1, -2}));
  EXPECT_NE(graph.Integers({1}), graph.Integer(1));  // one has an axis
  EXPECT_EQ(graph.tensors().size(), 3U);
  EXPECT_EQ(graph.tensors()[0].bytes(), 16);
  EXPECT_EQ(graph.tensors()[2].bytes(), 8);
  graph.Tensor(SmallOnnxTensor<float>("t", OnnxType::kFloat32, {1}, {1.0F}));
  EXPECT_THROW(graph.Tensor(SmallOnnxTensor<float>("t", OnnxType::kFloat32, {2}, {1.0F, 2.0F})),
               InternalError);
}

TEST(OnnxGraph, IntegersAreWrittenInOrder) {
  OnnxGraph graph("g");
  graph.Integers({3, -1});
  const TemporaryDirectory directory;
  AtomicFile file(directory / "bytes");
  graph.tensors()[0].write(file);
  file.Commit();
  EXPECT_EQ(ReadFile(directory / "bytes"),
            std::string("\3\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16));
}

}  // namespace
}  // namespace heed
