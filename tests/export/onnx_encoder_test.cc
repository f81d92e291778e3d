// What the graph computes is seen in onnx_client_test.cc.
#include "export/onnx_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/export_fixture.h"
#include "tests/export/onnx_ports.h"

namespace heed {
namespace {

using testing::ElementsAre;

TEST(OnnxEncoder, TakesTokensAndAMaskAndGivesStates) {
  const ModelOnDisk disk(SmallRecipe());
  const ModelSource model(disk.path());
  const OnnxWeights weights(model, ElementType::kFloat32);
  const OnnxGraph graph = MakeOnnxEncoder(weights);
  EXPECT_THAT(DescribePorts(graph.inputs()),
              ElementsAre("input_ids [batch_size, encoder_sequence_length]",
                          "attention_mask [batch_size, encoder_sequence_length]"));
  EXPECT_THAT(DescribePorts(graph.outputs()),
              ElementsAre("last_hidden_state [batch_size, encoder_sequence_length, 16]"));
}

TEST(OnnxEncoder, EveryValueIsThereBeforeItIsRead) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    const ModelSource model(disk.path());
    for (const ElementType type :
         {ElementType::kFloat32, ElementType::kFloat16, ElementType::kInt8}) {
      const OnnxWeights weights(model, type);
      EXPECT_THAT(ReadTooEarly(MakeOnnxEncoder(weights)), ElementsAre()) << variant.name;
    }
  }
}

}  // namespace
}  // namespace heed
