// What the layers compute is seen in onnx_client_test.cc; here, of which operators they are.
#include "export/onnx_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/export/export_fixture.h"

namespace heed {
namespace {

using testing::ElementsAre;

class OnnxLayersTest : public testing::Test {
 protected:
  void Use(const Recipe& recipe, ElementType type) {
    disk_ = std::make_unique<ModelOnDisk>(recipe);
    model_ = std::make_unique<ModelSource>(disk_->path());
    weights_ = std::make_unique<OnnxWeights>(*model_, type);
    graph_ = std::make_unique<OnnxGraph>("g");
    layers_ = std::make_unique<OnnxLayers>(*graph_, *weights_);
  }
  std::vector<std::string> Kinds() const {
    std::vector<std::string> kinds;
    for (const OnnxNode& node : graph_->nodes()) kinds.push_back(node.kind);
    return kinds;
  }
  std::vector<std::string> Tensors() const {
    std::vector<std::string> names;
    for (const OnnxTensor& tensor : graph_->tensors()) names.push_back(tensor.name);
    return names;
  }
  std::unique_ptr<ModelOnDisk> disk_;
  std::unique_ptr<ModelSource> model_;
  std::unique_ptr<OnnxWeights> weights_;
  std::unique_ptr<OnnxGraph> graph_;
  std::unique_ptr<OnnxLayers> layers_;
};

TEST_F(OnnxLayersTest, LinearIsAProductAndASum) {
  Use(SmallRecipe(), ElementType::kFloat32);
  layers_->Linear("x", "encoder.layer1.feed_forward.up");
  EXPECT_THAT(Kinds(), ElementsAre("MatMul", "Add"));
  EXPECT_THAT(Tensors(), ElementsAre("encoder.layer1.feed_forward.up.weight",
                                     "encoder.layer1.feed_forward.up.bias"));
}

TEST_F(OnnxLayersTest, LinearInBytesIsAProductOfIntegers) {
  Recipe recipe = SmallRecipe();
  recipe.model.projection_bias = false;
  Use(recipe, ElementType::kInt8);
  layers_->Linear("x", "encoder.layer1.feed_forward.up");
  EXPECT_THAT(Kinds(), ElementsAre("DynamicQuantizeLinear", "MatMulInteger", "Cast", "Mul", "Mul"));
}

TEST_F(OnnxLayersTest, ResidualSumsComeBeforeOrAfterTheNorm) {
  const auto kinds = [&](NormPosition norm) {
    Recipe recipe = SmallRecipe();
    recipe.model.norm = norm;
    Use(recipe, ElementType::kFloat32);
    layers_->Residual("encoder.layer1.attention_norm", "x",
                      [&](const OnnxValue& in) { return graph_->Add("Sublayer", {in}); });
    return Kinds();
  };
  EXPECT_THAT(kinds(NormPosition::kAfter), ElementsAre("Sublayer", "Add", "LayerNormalization"));
  EXPECT_THAT(kinds(NormPosition::kBefore), ElementsAre("LayerNormalization", "Sublayer", "Add"));
}

TEST_F(OnnxLayersTest, GatedUnitsActivateTheirFirstHalf) {
  Recipe recipe = SmallRecipe();
  recipe.model.gated = true;
  recipe.model.activation = ActivationKind::kSilu;
  recipe.model.projection_bias = false;
  Use(recipe, ElementType::kFloat32);
  layers_->FeedForward("x", "encoder.layer1.feed_forward");
  EXPECT_THAT(Kinds(), ElementsAre("MatMul", "Split", "Sigmoid", "Mul", "Mul", "MatMul"));
  EXPECT_THAT(graph_->nodes()[2].inputs, ElementsAre(graph_->nodes()[1].outputs[0]));
}

TEST_F(OnnxLayersTest, EmbeddingsAreScaledAndHavePositionsIfTheModelHas) {
  Use(SmallRecipe(), ElementType::kFloat32);
  layers_->Embed("encoder", "ids", "positions");
  EXPECT_THAT(Kinds(), ElementsAre("Gather", "Mul", "Gather", "Add"));
  Recipe recipe = SmallRecipe();
  recipe.model.scale_embeddings = false;
  recipe.model.positions.kind = PositionKind::kNone;
  Use(recipe, ElementType::kFloat32);
  layers_->Embed("encoder", "ids", "positions");
  EXPECT_THAT(Kinds(), ElementsAre("Gather"));
}

TEST_F(OnnxLayersTest, OneTableServesTokensAndLogits) {
  for (const ElementType type : {ElementType::kFloat32, ElementType::kInt8}) {
    Use(SmallRecipe(), type);
    layers_->Embed("decoder", "ids", "positions");
    layers_->Logits("x", "ids");
    EXPECT_EQ(std::ranges::count_if(graph_->tensors(),
                                    [](const OnnxTensor& tensor) {
                                      return tensor.shape == std::vector<int64_t>{91, 16};
                                    }),
              1);
  }
}

TEST_F(OnnxLayersTest, OnlyFloat16NeedsCasts) {
  Use(SmallRecipe(), ElementType::kFloat32);
  EXPECT_EQ(layers_->FromFloat32("x"), "x");
  EXPECT_EQ(layers_->ToFloat32("x"), "x");
  Use(SmallRecipe(), ElementType::kFloat16);
  layers_->FromFloat32("x");
  EXPECT_EQ(std::get<int64_t>(graph_->nodes().back().attributes[0].value), 10);
  layers_->ToFloat32("x");
  EXPECT_EQ(std::get<int64_t>(graph_->nodes().back().attributes[0].value), 1);
}

}  // namespace
}  // namespace heed
