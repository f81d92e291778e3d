#include "export/marian_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/model_factory.h"
#include "tests/export/marian_variants.h"

namespace heed {
namespace {

int64_t OutputsOfParameter(const Parameter& parameter) {
  return parameter.rows == 1 ? parameter.columns : parameter.rows;
}

// Every output of every parameter belongs to exactly one array.
TEST(MarianNames, CoverEveryParameterOnce) {
  for (const ModelVariant& variant : MarianVariants()) {
    ModelOptions options = variant.recipe.model;
    options.projection_bias = options.output_bias = true;
    ParameterStore store;
    const auto model = MakeModel(
        store, {.options = options, .source_vocabulary = 90, .target_vocabulary = 90}, false);
    std::map<std::string, int64_t> outputs;
    std::set<std::string> theirs;
    for (const TensorName& name : MarianNames(options)) {
      const Parameter* parameter = store.Find(name.ours);
      ASSERT_NE(parameter, nullptr) << variant.name << " has no " << name.ours;
      EXPECT_EQ(outputs[name.ours], name.first) << name.theirs;
      outputs[name.ours] +=
          name.count == TensorName::kAll ? OutputsOfParameter(*parameter) : name.count;
      EXPECT_TRUE(theirs.insert(name.theirs).second) << name.theirs;
    }
    for (const auto& parameter : store.parameters()) {
      EXPECT_EQ(outputs[parameter->name], OutputsOfParameter(*parameter))
          << variant.name << " " << parameter->name;
    }
  }
}

TEST(MarianNames, LayersHaveTheArraysThatConvertersCount) {
  std::map<std::string, int> arrays;
  for (const TensorName& name : MarianNames(SmallRecipe().model)) {
    ++arrays[name.theirs.substr(0, name.theirs.find('_', name.theirs.find('_') + 1))];
  }
  EXPECT_EQ(arrays["encoder_l1"], 16);
  EXPECT_EQ(arrays["encoder_l2"], 16);
  EXPECT_EQ(arrays["decoder_l1"], 26);
  EXPECT_EQ(arrays["decoder_l2"], 26);
  EXPECT_EQ(arrays.count("encoder_l0") + arrays.count("encoder_l3"), 0);
}

TEST(MarianNames, PreNormHasASuffixAndFinalNorms) {
  ModelOptions options;
  const auto has = [&](const std::string& name) {
    return std::ranges::count(MarianNames(options), name, &TensorName::theirs) == 1;
  };
  EXPECT_TRUE(has("encoder_l1_ffn_ffn_ln_scale"));
  EXPECT_FALSE(has("decoder_top_ln_scale"));
  options.norm = NormPosition::kBefore;
  EXPECT_TRUE(has("encoder_l1_ffn_ffn_ln_scale_pre"));
  EXPECT_FALSE(has("encoder_l1_ffn_ffn_ln_scale"));
  EXPECT_TRUE(has("decoder_top_ln_scale"));
}

TEST(MarianNames, OnlyMatricesOfLayersAreTransposed) {
  for (const char* name : {"encoder_l1_self_Wq", "decoder_l2_context_Wo", "encoder_l6_ffn_W2"}) {
    EXPECT_TRUE(IsTransposedInMarian(name)) << name;
  }
  for (const char* name :
       {"Wemb", "decoder_ff_logit_out_Wt", "decoder_l1_self_bq", "encoder_l1_self_Wo_ln_scale"}) {
    EXPECT_FALSE(IsTransposedInMarian(name)) << name;
  }
}

}  // namespace
}  // namespace heed
