#include "export/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/text/sample_text.h"
#include "text/sentencepiece_tokenizer.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(TokenizerJson, HoldsPiecesMarksAndRules) {
  const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kUnigram, false, {"<de>"}), "x");
  const auto json = MakeTokenizerJson(tokenizer, 90);
  const auto& model = json.at("model");
  EXPECT_EQ(model.at("unk_id"), 1);
  EXPECT_FALSE(model.at("byte_fallback"));
  ASSERT_EQ(model.at("vocab").size(), 91U);
  EXPECT_EQ(model.at("vocab").at(5).at(0), tokenizer.piece(5));
  EXPECT_LT(model.at("vocab").at(5).at(1), 0.0);
  EXPECT_EQ(model.at("vocab").at(90).at(0), "<pad>");
  std::vector<std::string> added;
  for (const auto& token : json.at("added_tokens")) added.push_back(token.at("content"));
  EXPECT_THAT(added, testing::ElementsAre("</s>", "<unk>", "<de>", "<pad>"));
  EXPECT_FALSE(json.at("added_tokens").at(2).at("special"));
  EXPECT_TRUE(json.at("added_tokens").at(3).at("special"));
  EXPECT_EQ(json.at("normalizer").at("type"), "Precompiled");
  EXPECT_EQ(json.at("decoder").at("type"), "Metaspace");
  EXPECT_EQ(json.at("post_processor").at("special_tokens").at("</s>").at("ids").at(0), 0);
}

TEST(TokenizerJson, BytesAreJoinedBeforeSpacesAreMade) {
  const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kUnigram, true), "x");
  const auto json = MakeTokenizerJson(tokenizer, 346);
  EXPECT_TRUE(json.at("model").at("byte_fallback"));
  std::vector<std::string> steps;
  for (const auto& step : json.at("decoder").at("decoders")) steps.push_back(step.at("type"));
  EXPECT_THAT(steps, testing::ElementsAre("Replace", "ByteFallback", "Fuse", "Strip"));
}

// SentencePiece's score of a BPE piece is minus the number of its merge.
TEST(TokenizerJson, BpePiecesBecomeMergesInTheirOrder) {
  const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kBpe, false), "x");
  const auto model = MakeTokenizerJson(tokenizer, 90).at("model");
  EXPECT_EQ(model.at("type"), "BPE");
  EXPECT_EQ(model.at("vocab").at("<pad>"), 90);
  ASSERT_GT(model.at("merges").size(), 20U);
  std::string first = model.at("merges").at(0);
  first.erase(first.find(' '), 1);
  EXPECT_EQ(first, tokenizer.piece(2));  // after the marks the first that was merged
}

TEST(TokenizerJson, PaddingMustFollowTheLastPiece) {
  const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kBpe, false), "x");
  EXPECT_THROW(MakeTokenizerJson(tokenizer, 91), InternalError);
}

}  // namespace
}  // namespace heed
