#include "export/huggingface_names.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/model_factory.h"

namespace heed {
namespace {

// Every output of every parameter of a model with all biases belongs to exactly one tensor.
TEST(HuggingFaceNames, CoverEveryParameterOnce) {
  for (const NormPosition norm : {NormPosition::kAfter, NormPosition::kBefore}) {
    for (const auto& tying : EnumNames(EmbeddingTying{})) {
      ModelOptions options;
      options.model_width = 16;
      options.heads = 2;
      options.encoder_layers = 2;
      options.decoder_layers = 3;
      options.norm = norm;
      options.tie_embeddings = tying.value;
      ParameterStore store;
      const auto model = MakeModel(
          store, {.options = options, .source_vocabulary = 9, .target_vocabulary = 9}, false);
      std::map<std::string, int64_t> outputs;
      std::set<std::string> theirs;
      for (const TensorName& name : HuggingFaceNames(options)) {
        const Parameter* parameter = store.Find(name.ours);
        ASSERT_NE(parameter, nullptr) << name.ours;
        const int64_t all = parameter->rows == 1 ? parameter->columns : parameter->rows;
        EXPECT_EQ(outputs[name.ours], name.first) << name.theirs;
        outputs[name.ours] += name.count == TensorName::kAll ? all : name.count;
        EXPECT_TRUE(theirs.insert(name.theirs).second) << name.theirs;
      }
      for (const auto& parameter : store.parameters()) {
        const int64_t all = parameter->rows == 1 ? parameter->columns : parameter->rows;
        EXPECT_EQ(outputs[parameter->name], all) << parameter->name;
      }
    }
  }
}

TEST(HuggingFaceNames, EmbeddingsOutputAndItsBiasArePerToken) {
  EXPECT_TRUE(IsPerToken({"model.shared.weight", "embedding.weight"}));
  EXPECT_TRUE(IsPerToken({"lm_head.weight", "output.weight"}));
  EXPECT_TRUE(IsPerToken({"final_logits_bias", "output.bias"}));
  EXPECT_FALSE(IsPerToken({"x", "encoder.layer1.self_attention.output.weight"}));
}

}  // namespace
}  // namespace heed
