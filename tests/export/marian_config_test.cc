#include "export/marian_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/export/marian_variants.h"

namespace heed {
namespace {

using testing::HasSubstr;

// What a converter of Hugging Face's insists on.
TEST(MarianConfig, PostNormModelsHaveTheValuesThatConvertersWant) {
  const std::string yaml = MarianModelYaml(
      {.options = SmallRecipe().model, .source_vocabulary = 90, .target_vocabulary = 91});
  for (const char* line :
       {"dec-cell-base-depth: 2\n", "dec-cell-high-depth: 1\n", "layer-normalization: false\n",
        "right-left: false\n", "transformer-aan-depth: 2\n", "transformer-aan-nogate: false\n",
        "transformer-ffn-depth: 2\n", "transformer-no-projection: false\n",
        "transformer-postprocess: dan\n", "transformer-postprocess-emb: d\n",
        "transformer-preprocess: \"\"\n", "type: transformer\n", "ulr-dim-emb: 0\n",
        "dim-vocabs: [90, 91]\n", "transformer-dim-ffn: 24\n", "tied-embeddings-all: true\n"}) {
    EXPECT_THAT("\n" + yaml, HasSubstr(std::string("\n") + line));
  }
}

TEST(MarianConfig, PreNormModelsNormaliseBeforeAndAtTheTop) {
  ModelOptions options;
  options.norm = NormPosition::kBefore;
  const std::string yaml = MarianModelYaml({.options = options});
  EXPECT_THAT(yaml, HasSubstr("transformer-postprocess: da\n"));
  EXPECT_THAT(yaml, HasSubstr("transformer-postprocess-top: n\n"));
  EXPECT_THAT(yaml, HasSubstr("transformer-preprocess: n\n"));
}

TEST(MarianConfig, DecoderTranslatesAsTheRecipeSays) {
  const MarianFiles files{.model = "model.npz", .vocabularies = {"a.spm", "b.spm"}};
  DecodingOptions decoding;
  decoding.beam = 5;
  EXPECT_EQ(MarianDecoderYaml(files, decoding),
            "relative-paths: true\nmodels:\n  - model.npz\nvocabs:\n  - a.spm\n  - b.spm\n"
            "beam-size: 5\nnormalize: 0.6\nword-penalty: 0\n"
            "mini-batch: 16\nmaxi-batch: 100\nmaxi-batch-sort: src\n");
  decoding.length_penalty = {.kind = LengthPenaltyKind::kAverage, .alpha = 1.25};
  decoding.suppress_unknown = false;
  EXPECT_THAT(MarianDecoderYaml(files, decoding), HasSubstr("normalize: 1.25\n"));
  EXPECT_THAT(MarianDecoderYaml(files, decoding), HasSubstr("allow-unk: true\n"));
  decoding.length_penalty.kind = LengthPenaltyKind::kNone;
  EXPECT_THAT(MarianDecoderYaml(files, decoding), HasSubstr("normalize: 0\n"));
}

TEST(MarianConfig, GeluIsNotMariansFunctionOfThatName) {
  EXPECT_EQ(MarianActivation(ActivationKind::kRelu), "relu");
  EXPECT_EQ(MarianActivation(ActivationKind::kSilu), "swish");
  EXPECT_EQ(MarianActivation(ActivationKind::kGelu), "");
}

}  // namespace
}  // namespace heed
