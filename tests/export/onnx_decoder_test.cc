// What the graph computes is seen in onnx_client_test.cc.
#include "export/onnx_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/export_fixture.h"
#include "tests/export/onnx_ports.h"

namespace heed {
namespace {

using testing::ElementsAre;

TEST(OnnxDecoder, TakesAndGivesACacheOfEachLayer) {
  Recipe recipe = SmallRecipe();
  recipe.model.decoder_layers = 1;
  const ModelOnDisk disk(recipe);
  const ModelSource model(disk.path());
  const OnnxWeights weights(model, ElementType::kFloat32);
  const OnnxGraph graph = MakeOnnxDecoder(weights);
  EXPECT_THAT(
      DescribePorts(graph.inputs()),
      ElementsAre(
          "input_ids [batch_size, decoder_sequence_length]",
          "encoder_attention_mask [batch_size, encoder_sequence_length]",
          "encoder_hidden_states [batch_size, encoder_sequence_length, 16]",
          "past_key_values.0.decoder.key [batch_size, 2, past_decoder_sequence_length, 8]",
          "past_key_values.0.decoder.value [batch_size, 2, past_decoder_sequence_length, 8]",
          "past_key_values.0.encoder.key [batch_size, 2, encoder_sequence_length_out, 8]",
          "past_key_values.0.encoder.value [batch_size, 2, encoder_sequence_length_out, 8]"));
  EXPECT_THAT(
      DescribePorts(graph.outputs()),
      ElementsAre("logits [batch_size, decoder_sequence_length, 91]",
                  "present.0.decoder.key [batch_size, 2, present_decoder_sequence_length, 8]",
                  "present.0.decoder.value [batch_size, 2, present_decoder_sequence_length, 8]",
                  "present.0.encoder.key [batch_size, 2, encoder_sequence_length, 8]",
                  "present.0.encoder.value [batch_size, 2, encoder_sequence_length, 8]"));
}

TEST(OnnxDecoder, EveryValueIsThereBeforeItIsRead) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    const ModelSource model(disk.path());
    for (const ElementType type :
         {ElementType::kFloat32, ElementType::kFloat16, ElementType::kInt8}) {
      const OnnxWeights weights(model, type);
      EXPECT_THAT(ReadTooEarly(MakeOnnxDecoder(weights)), ElementsAre()) << variant.name;
    }
  }
}

}  // namespace
}  // namespace heed
