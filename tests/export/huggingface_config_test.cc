#include "export/huggingface_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/huggingface_export.h"
#include "tests/export/export_fixture.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

class HuggingFaceConfigTest : public testing::Test {
 protected:
  void Write(const Recipe& recipe) {
    disk_ = std::make_unique<ModelOnDisk>(recipe);
    output_ = *disk_ / "out";
    fs::create_directories(output_);
    WriteHuggingFaceModel(ModelSource(disk_->path()), ElementType::kFloat16, output_);
  }
  nlohmann::json Json(const std::string& name) const { return ReadJsonFile(output_ / name); }

  std::unique_ptr<ModelOnDisk> disk_;
  fs::path output_;
};

TEST_F(HuggingFaceConfigTest, PostNormIsMarianThatStartsFromThePaddingToken) {
  Write(SmallRecipe());
  const auto config = Json("config.json");
  EXPECT_EQ(config.at("model_type"), "marian");
  EXPECT_EQ(config.at("vocab_size"), 91);
  EXPECT_EQ(config.at("pad_token_id"), 90);
  EXPECT_EQ(config.at("decoder_start_token_id"), 90);
  EXPECT_TRUE(config.at("bos_token_id").is_null());
  EXPECT_EQ(config.at("torch_dtype"), "float16");
  const auto vocabulary = Json("vocab.json");
  EXPECT_EQ(vocabulary.at("<pad>"), 90);
  EXPECT_EQ(vocabulary.at("</s>"), 0);
  EXPECT_EQ(vocabulary.size(), 91U);
  EXPECT_EQ(ReadFile(output_ / "source.spm"), ReadFile(output_ / "target.spm"));
  EXPECT_THAT(ReadFile(output_ / "README.md"), testing::HasSubstr("language: [\"en\", \"de\"]"));
}

TEST_F(HuggingFaceConfigTest, PreNormIsPegasusAndALearnedStartIsItsOwnToken) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.decoder_start = DecoderStart::kLearned;
  Write(recipe);
  const auto config = Json("config.json");
  EXPECT_EQ(config.at("model_type"), "pegasus");
  EXPECT_EQ(config.at("decoder_start_token_id"), 2);
  EXPECT_EQ(config.at("bos_token_id"), 2);
  EXPECT_EQ(config.at("pad_token_id"), 90);
}

TEST_F(HuggingFaceConfigTest, GenerationFollowsTheRecipe) {
  Recipe recipe = SmallRecipe();
  recipe.decoding.beam = 6;
  recipe.decoding.length_penalty = {.kind = LengthPenaltyKind::kAverage, .alpha = 0.7};
  Write(recipe);
  const auto generation = Json("generation_config.json");
  EXPECT_EQ(generation.at("num_beams"), 6);
  EXPECT_EQ(generation.at("length_penalty"), 0.7);
  EXPECT_EQ(generation.at("bad_words_ids"), nlohmann::json::parse("[[90], [1]]"));
}

TEST_F(HuggingFaceConfigTest, SeparateVocabulariesShareThePaddingId) {
  Recipe recipe = SmallRecipe();
  recipe.vocabulary.joint = false;
  recipe.model.tie_embeddings = EmbeddingTying::kDecoder;
  Write(recipe);
  EXPECT_EQ(Json("vocab.json").at("<pad>"), 52);
  EXPECT_EQ(Json("target_vocab.json").at("<pad>"), 52);
  EXPECT_EQ(Json("tokenizer_config.json").at("separate_vocabs"), true);
  EXPECT_EQ(Json("config.json").at("share_encoder_decoder_embeddings"), false);
}

}  // namespace
}  // namespace heed
