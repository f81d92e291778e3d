#include "export/marian_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/marian_config.h"
#include "tests/export/marian_variants.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string FaultOf(const std::string& yaml) {
  try {
    ParseMarianOptions(yaml, "x.npz");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// Our own, with one line replaced.
std::string FaultWith(const std::string& line, const std::string& other) {
  std::string yaml = MarianModelYaml(
      {.options = SmallRecipe().model, .source_vocabulary = 90, .target_vocabulary = 90});
  const size_t place = ("\n" + yaml).find("\n" + line + "\n");
  EXPECT_NE(place, std::string::npos) << line;
  return FaultOf(yaml.replace(place, line.size(), other));
}

// All but what only training needs, and what Marian has one answer for.
TEST(MarianOptions, ComeBackFromWhatWeWrite) {
  for (const ModelVariant& variant : MarianVariants()) {
    const TransformerShape wanted{
        .options = variant.recipe.model, .source_vocabulary = 52, .target_vocabulary = 48};
    const TransformerShape got = ParseMarianOptions(MarianModelYaml(wanted), "x.npz");
    EXPECT_EQ(got.source_vocabulary, 52);
    EXPECT_EQ(got.target_vocabulary, 48);
    EXPECT_EQ(got.begin_id, -1);
    ModelOptions options = wanted.options;
    options.layer_norm_epsilon = 1e-6;
    options.projection_bias = options.output_bias = true;
    options.positions.layout = SinusoidLayout::kHalf;
    EXPECT_EQ(got.options, options) << variant.name;
  }
}

TEST(MarianOptions, EveryForeignOptionIsNamed) {
  EXPECT_THAT(FaultWith("type: transformer", "type: s2s"),
              HasSubstr("  - type is 's2s', Heed needs transformer"));
  EXPECT_THAT(FaultWith("transformer-ffn-activation: relu", "transformer-ffn-activation: gelu"),
              HasSubstr("'gelu', Heed needs relu or swish"));
  EXPECT_THAT(FaultWith("transformer-ffn-depth: 2", "transformer-ffn-depth: 3\nulr: true"),
              HasSubstr("key 'ulr' is given twice"));
  EXPECT_THAT(FaultWith("transformer-tied-layers: []", "transformer-tied-layers: [1, 1]"),
              HasSubstr("transformer-tied-layers is a list, Heed needs none"));
  EXPECT_THAT(FaultWith("tied-embeddings-all: true", "tied-embeddings-all: false"), "");
  EXPECT_THAT(FaultWith("tied-embeddings-src: false", "tied-embeddings-src: true"), "");
  EXPECT_THAT(FaultWith("transformer-postprocess: dan", "transformer-postprocess: da"),
              HasSubstr("transformer-postprocess is 'da', Heed needs dan"));
}

TEST(MarianOptions, OldAndRareOnesAreRead) {
  const std::string yaml = MarianModelYaml(
      {.options = SmallRecipe().model, .source_vocabulary = 90, .target_vocabulary = 90});
  const auto with = [&](const std::string& line, const std::string& other) {
    std::string changed = yaml;
    changed.replace(changed.find(line), line.size(), other);
    return ParseMarianOptions(changed, "x.npz").options;
  };
  const ModelOptions trained = with("transformer-train-position-embeddings: false",
                                    "transformer-train-position-embeddings: true");
  EXPECT_EQ(trained.positions.kind, PositionKind::kLearned);
  EXPECT_FALSE(trained.scale_embeddings);
  EXPECT_EQ(with("tied-embeddings-all: true", "tied-embeddings-all: false").tie_embeddings,
            EmbeddingTying::kNone);
  EXPECT_EQ(with("transformer-decoder-dim-ffn: 0", "transformer-decoder-dim-ffn: 24"),
            ParseMarianOptions(yaml, "x.npz").options);
  EXPECT_THAT(FaultWith("transformer-decoder-dim-ffn: 0", "transformer-decoder-dim-ffn: 25"),
              HasSubstr("transformer-decoder-dim-ffn is '25', Heed needs 0"));
  EXPECT_THAT(
      FaultWith("transformer-decoder-autoreg: self-attention", "transformer-decoder-autoreg: rnn"),
      HasSubstr("transformer-decoder-autoreg is 'rnn', Heed needs self-attention"));
}

TEST(MarianOptions, NumbersMustBePlausible) {
  EXPECT_THAT(FaultWith("dim-emb: 16", "dim-emb: -16"), HasSubstr("dim-emb is '-16'"));
  EXPECT_THAT(FaultWith("enc-depth: 2", "enc-depth: 99999999999999999999"),
              HasSubstr("enc-depth is '99999999999999999999'"));
  EXPECT_THAT(FaultWith("transformer-heads: 2", "transformer-heads: 3"),
              HasSubstr("transformer-heads is '3', Heed needs a divisor of dim-emb"));
  EXPECT_THAT(FaultWith("dim-vocabs: [90, 90]", "dim-vocabs: [90]"),
              HasSubstr("dim-vocabs is a list"));
}

TEST(MarianOptions, TextThatIsNoMapIsAUserError) {
  EXPECT_THAT(FaultOf(""), HasSubstr("is not a list of options"));
  EXPECT_THAT(FaultOf("- a"), HasSubstr("is not a list of options"));
  EXPECT_THAT(FaultOf("a: ["), HasSubstr("x.npz"));
}

}  // namespace
}  // namespace heed
