#include "text/user_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "util/check.h"

namespace heed {
namespace {

std::string TrainModel() {
  SubwordTrainingOptions options;
  options.size = 20;
  options.byte_fallback = false;
  options.user_symbols = {"<old>"};
  int line = 0;
  return TrainSentencePiece(options, [&](std::string_view* sentence) {
    *sentence = line % 2 == 0 ? "the cat sat on the mat" : "a dog ran to the cat";
    return line++ < 200;
  });
}

std::vector<int32_t> Encode(const Tokenizer& tokenizer, const std::string& line) {
  std::vector<int32_t> ids;
  tokenizer.Encode(line, &ids);
  return ids;
}

TEST(UserSymbols, NewOnesComeLastAndAreNeverSplit) {
  const std::string model = TrainModel();
  const SentencePieceTokenizer before(model, "before");
  const SentencePieceTokenizer after(AddUserSymbols(model, {"<new>", "two words"}), "after");
  ASSERT_EQ(after.size(), before.size() + 2);
  for (int32_t id = 0; id < before.size(); ++id) EXPECT_EQ(after.piece(id), before.piece(id));
  EXPECT_EQ(after.piece(static_cast<int32_t>(before.size())), "<new>");
  const std::vector<int32_t> ids = Encode(after, "the cat<new>sat two words");
  EXPECT_THAT(ids, testing::Contains(static_cast<int32_t>(before.size())));
  EXPECT_THAT(ids, testing::Contains(static_cast<int32_t>(before.size()) + 1));
  EXPECT_EQ(after.Decode(ids), "the cat<new>sat two words");
  EXPECT_EQ(Encode(after, "the dog sat"), Encode(before, "the dog sat"));
}

TEST(UserSymbols, WhatIsASymbolAlreadyChangesNothing) {
  const std::string model = TrainModel();
  EXPECT_EQ(AddUserSymbols(model, {"<old>"}), model);
}

TEST(UserSymbols, AnOrdinaryPieceIsRefused) {
  try {
    AddUserSymbols(TrainModel(), {"c"});
    FAIL() << "an ordinary piece was taken for a symbol";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'c', which is an ordinary piece"));
  }
}

}  // namespace
}  // namespace heed
