#include "export/huggingface_vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class HuggingFaceVocabularyTest : public testing::Test {
 protected:
  HuggingFaceVocabularyTest() {
    for (const char* name :
         {"source.spm", "target.spm", "spiece.model", "sentencepiece.bpe.model"}) {
      WriteFile(directory_ / name, SampleModel(SubwordKind::kUnigram, false));
    }
    type_.end_id = 0;
    type_.shape.source_vocabulary = 6;
    type_.shape.target_vocabulary = 6;
    type_.model_type = "marian";
  }
  HuggingFaceVocabulary Read() const {
    return ReadHuggingFaceVocabulary(directory_ / "", type_, {});
  }
  std::string Fault() const {
    try {
      Read();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  void Write(const char* file, const json& content) const {
    WriteFile(directory_ / file, content.dump());
  }
  const TemporaryDirectory directory_;
  HuggingFaceClass type_;
};

TEST_F(HuggingFaceVocabularyTest, MarianReadsIdsFromVocabJson) {
  Write("vocab.json", {{"</s>", 0}, {"<unk>", 1}, {"b", 2}, {">>deu<<", 3}, {"<pad>", 5}});
  Write("tokenizer_config.json", {{"eos_token", {{"content", "</s>"}}}, {"source_lang", "eng"}});
  const HuggingFaceVocabulary read = Read();
  EXPECT_EQ(read.source, (std::vector<std::string>{"</s>", "<unk>", "b", ">>deu<<", "", "<pad>"}));
  EXPECT_EQ(read.target, read.source);
  EXPECT_TRUE(read.shares_ids);
  EXPECT_THAT(read.specials, testing::ElementsAre(">>deu<<"));
  EXPECT_EQ(read.source_language, "eng");
  Write("tokenizer_config.json", {{"separate_vocabs", true}});
  EXPECT_THAT(Fault(), HasSubstr("target_vocab.json"));
  Write("target_vocab.json", {{"</s>", 0}, {"c", 1}});
  EXPECT_EQ(Read().target[1], "c");
  EXPECT_FALSE(Read().shares_ids);
}

TEST_F(HuggingFaceVocabularyTest, PegasusCountsOnAfterTheTokensOfPretraining) {
  type_.model_type = "pegasus";
  type_.end_id = 1;
  type_.shape.source_vocabulary = 1000;
  Write("tokenizer_config.json", {{"tokenizer_class", "PegasusTokenizerFast"}});
  const HuggingFaceVocabulary read = Read();
  const SentencePieceTokenizer cutter(SampleModel(SubwordKind::kUnigram, false), "model");
  EXPECT_EQ(read.source[0], "<pad>");
  EXPECT_EQ(read.source[1], "</s>");
  EXPECT_EQ(read.source[2], "<mask_1>");
  EXPECT_EQ(read.source[3], "<mask_2>");
  EXPECT_EQ(read.source[4], "<unk_2>");
  EXPECT_EQ(read.source[104], "<unk_102>");
  EXPECT_EQ(read.source[103 + 9], cutter.piece(9));
  EXPECT_TRUE(read.specials.contains("<unk_50>"));
}

TEST_F(HuggingFaceVocabularyTest, M2m100HasItsLanguagesAfterThePieces) {
  type_.model_type = "m2m_100";
  type_.shape.source_vocabulary = 120;
  Write("vocab.json", {{"</s>", 0}, {"<unk>", 1}, {"<pad>", 2}, {"b", 3}});
  const HuggingFaceVocabulary read = Read();
  EXPECT_EQ(read.source[4], "__af__");
  EXPECT_EQ(read.source[103], "__zu__");
  EXPECT_EQ(read.source[104], "");
  EXPECT_EQ(read.languages.at("de"), "__de__");
  Write("tokenizer_config.json", {{"language_codes", "wmt21"}, {"src_lang", "en"}});
  EXPECT_EQ(Read().source[11], "__de__");
  EXPECT_EQ(Read().source_language, "en");
  Write("tokenizer_config.json", {{"language_codes", "moon"}});
  EXPECT_THAT(Fault(), HasSubstr("language_codes is 'moon'"));
}

TEST_F(HuggingFaceVocabularyTest, WhatDoesNotFitIsAUserError) {
  const auto fault = [&](const json& vocab, const json& config) {
    Write("vocab.json", vocab);
    Write("tokenizer_config.json", config);
    return Fault();
  };
  const json good = {{"</s>", 0}, {"<unk>", 1}, {"<pad>", 2}};
  EXPECT_EQ(fault(good, json::object()), "");
  EXPECT_THAT(fault(good, {{"tokenizer_class", "BertTokenizer"}}),
              HasSubstr("tokenizer_class is BertTokenizer"));
  EXPECT_THAT(fault(good, {{"sp_model_kwargs", {{"enable_sampling", true}}}}),
              HasSubstr("sp_model_kwargs"));
  EXPECT_THAT(fault(good, {{"added_tokens_decoder", {{"4", {{"content", "new"}}}}}}),
              HasSubstr("adds 'new' with the id 4"));
  EXPECT_THAT(fault(good, {{"added_tokens_decoder", {{"x", "new"}}}}), HasSubstr("'x' is no id"));
  EXPECT_THAT(fault(good, {{"eos_token", 3}}), HasSubstr("does not describe a tokenizer"));
  EXPECT_THAT(fault({{"</s>", 0}, {"x", 6}}, json::object()), HasSubstr("has the id 6"));
  EXPECT_THAT(fault({{"</s>", 0}, {"x", -1}}, json::object()), HasSubstr("has the id -1"));
  EXPECT_THAT(fault({{"</s>", 0}, {"x", "a"}}, json::object()), HasSubstr("has the id \"a\""));
  EXPECT_THAT(fault({{"</s>", 0}, {"x", 0}}, json::object()), HasSubstr("have one id"));
  EXPECT_THAT(fault({{"</s>", 1}, {"x", 0}}, json::object()), HasSubstr("has not the id 0"));
  EXPECT_THAT(fault({1, 2}, json::object()), HasSubstr("does not give pieces their ids"));
}

}  // namespace
}  // namespace heed
