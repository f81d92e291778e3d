#include "export/onnx_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "export/onnx_reader.h"
#include "export/onnx_writer.h"
#include "tests/export/export_fixture.h"
#include "tests/export/source_values.h"

namespace heed {
namespace {

class OnnxWeightsTest : public testing::Test {
 protected:
  // What a file gives back of tensors that were written to it.
  std::vector<float> Back(const std::vector<OnnxTensor>& tensors, const std::string& name) {
    OnnxGraph graph("g");
    for (const OnnxTensor& tensor : tensors) graph.Tensor(tensor);
    WriteOnnxFile(disk_ / "m.onnx", graph);
    return ValuesOf(OnnxReader(disk_ / "m.onnx").Rows(name));
  }
  const ModelOnDisk disk_{SmallRecipe()};
  const ModelSource model_{disk_.path()};
};

TEST_F(OnnxWeightsTest, OnlyWeightsOfLinearLayersAreTransposed) {
  for (const char* name :
       {"decoder.layer1.feed_forward.up.weight", "encoder.layer2.self_attention.qkv.weight",
        "decoder.layer1.cross_attention.output.weight"}) {
    EXPECT_EQ(OnnxOrderOf(name), OnnxOrder::kTransposed) << name;
  }
  for (const char* name : {"embedding.weight", "source_embedding.weight", "output.weight",
                           "encoder.final_norm.weight", "output.bias", "encoder.positions"}) {
    EXPECT_EQ(OnnxOrderOf(name), OnnxOrder::kAsIs) << name;
  }
}

TEST_F(OnnxWeightsTest, FloatsComeBackAsTheyAre) {
  const OnnxWeights weights(model_, ElementType::kFloat32);
  for (const std::string name :
       {"encoder.layer1.self_attention.qkv.weight", "encoder.layer1.feed_forward.down.bias"}) {
    EXPECT_EQ(Back({weights.Floats(name)}, name), ValuesOf(model_.Rows(name)));
  }
  EXPECT_EQ(weights.Floats("encoder.layer1.self_attention.qkv.weight").shape,
            (std::vector<int64_t>{16, 48}));
}

TEST_F(OnnxWeightsTest, ThePaddingTokenIsZeroAndNeverProduced) {
  const OnnxWeights weights(model_, ElementType::kFloat32);
  EXPECT_EQ(weights.num_tokens(), 91);
  const auto table = Back({weights.Floats("embedding.weight")}, "embedding.weight");
  ASSERT_EQ(table.size(), 91U * 16U);
  for (size_t i = 90U * 16U; i < table.size(); ++i) EXPECT_EQ(table[i], 0);
  const auto bias = Back({weights.Floats("output.bias")}, "output.bias");
  ASSERT_EQ(bias.size(), 91U);
  EXPECT_EQ(bias.back(), -30000);
}

TEST_F(OnnxWeightsTest, MissingOutputBiasIsZero) {
  Recipe recipe = SmallRecipe();
  recipe.model.output_bias = false;
  const ModelOnDisk disk(recipe);
  const ModelSource model(disk.path());
  const OnnxWeights weights(model, ElementType::kFloat16);
  EXPECT_FALSE(weights.Contains("output.bias"));
  const auto bias = Back({weights.Floats("output.bias")}, "output.bias");
  EXPECT_EQ(bias[0], 0);
  EXPECT_EQ(bias.back(), -30000);
}

TEST_F(OnnxWeightsTest, BytesAreWithinHalfAStepOfEachOutput) {
  const OnnxWeights weights(model_, ElementType::kInt8);
  for (const std::string name : {"embedding.weight", "decoder.layer1.feed_forward.up.weight"}) {
    const OnnxByteMatrix matrix = weights.Bytes(name);
    const auto found = Back({matrix.bytes, matrix.scales}, name);
    const RowSource rows = model_.Rows(name);
    const auto wanted = ValuesOf(rows);
    for (int64_t row = 0; row < rows.rows; ++row) {
      const auto* first = wanted.data() + row * rows.columns;
      float largest = 0;
      for (int64_t i = 0; i < rows.columns; ++i) largest = std::max(largest, std::abs(first[i]));
      for (int64_t i = 0; i < rows.columns; ++i) {
        EXPECT_NEAR(found[static_cast<size_t>(row * rows.columns + i)], first[i],
                    largest / 127 * 0.501);
      }
    }
  }
}

TEST_F(OnnxWeightsTest, PositionsAndNumbersAreOfTheGraphsType) {
  const OnnxWeights weights(model_, ElementType::kFloat16);
  EXPECT_EQ(weights.real(), OnnxType::kFloat16);
  EXPECT_EQ(weights.Positions("encoder").shape, (std::vector<int64_t>{1024, 16}));
  const OnnxTensor number = weights.Number("n", 0.5);
  EXPECT_EQ(number.type, OnnxType::kFloat16);
  EXPECT_TRUE(number.shape.empty());
  EXPECT_EQ(OnnxWeights(model_, ElementType::kInt8).real(), OnnxType::kFloat32);
}

}  // namespace
}  // namespace heed
