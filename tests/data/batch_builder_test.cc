#include "data/batch_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/data/letter_tokenizer.h"
#include "tests/util/temporary_directory.h"
#include "text/piece_list.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class BatchBuilderTest : public testing::Test {
 protected:
  BatchBuilder Builder(std::optional<BatchSampling> sampling = std::nullopt,
                       int32_t start_id = -1) {
    return BatchBuilder({&first_, &second_}, {&tokenizer_, &tokenizer_, start_id, sampling});
  }

  TemporaryDirectory directory_;
  LetterTokenizer tokenizer_;
  TokenShard first_ = LetterShard(directory_ / "first", {{"ab", "c"}, {"d", "ef"}, {"", ""}});
  TokenShard second_ = LetterShard(directory_ / "second", {{"ghi", "jk"}, {"lm", "nopq"}});
};

TEST_F(BatchBuilderTest, MarksShiftAndOrder) {
  const std::vector<PlannedSentence> sentences = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}};
  Batch batch;
  batch.source_ids = {99};  // what a batch held before is gone
  batch.sentence_ids = {99};
  Builder().Build(sentences, 1, &batch);
  // Target lengths 5, 3, 3, 2, 1; of the two with 3, the longer source comes first.
  EXPECT_THAT(batch.sentence_ids, ElementsAre(4, 3, 1, 0, 2));
  EXPECT_THAT(batch.target.lengths(), ElementsAre(5, 3, 3, 2, 1));
  EXPECT_THAT(batch.source.lengths(), ElementsAre(3, 4, 2, 3, 1));
  EXPECT_THAT(batch.source_ids, ElementsAre(13, 14, 0, 8, 9, 10, 0, 5, 0, 2, 3, 0, 0));
  EXPECT_THAT(batch.target_inputs,
              ElementsAre(-1, 15, 16, 17, 18, -1, 11, 12, -1, 6, 7, -1, 4, -1));
  EXPECT_THAT(batch.target_labels, ElementsAre(15, 16, 17, 18, 0, 11, 12, 0, 6, 7, 0, 4, 0, 0));
  EXPECT_EQ(batch.num_sentences(), 5);
  EXPECT_EQ(batch.num_source_tokens(), 13);
  EXPECT_EQ(batch.num_target_tokens(), 14);
}

TEST_F(BatchBuilderTest, TheStartMayBeAMark) {
  Batch batch;
  Builder(std::nullopt, 27).Build(std::vector<PlannedSentence>{{0, 1}}, 1, &batch);
  EXPECT_THAT(batch.target_inputs, ElementsAre(27, 6, 7));
}

// Letters whose list says that sources get no end mark.
class UnendedTokenizer : public LetterTokenizer {
 public:
  const PieceList* list() const override { return &list_; }

 private:
  PieceList list_{{"</s>", "<unk>"}, {.ends_source = false}, {}, "letters"};
};

TEST_F(BatchBuilderTest, SourcesMayEndWithoutAMark) {
  const UnendedTokenizer unended;
  Batch batch;
  BatchBuilder({&first_, &second_}, {&unended, &unended, -1, std::nullopt})
      .Build(std::vector<PlannedSentence>{{0, 0}, {0, 1}, {0, 2}}, 1, &batch);
  EXPECT_THAT(batch.source.lengths(), ElementsAre(1, 2, 1));  // nothing at all has the mark
  EXPECT_THAT(batch.source_ids, ElementsAre(5, 2, 3, 0));
  EXPECT_THAT(batch.target_labels, ElementsAre(6, 7, 0, 4, 0, 0));
}

TEST_F(BatchBuilderTest, ABatchMayBeEmpty) {
  Batch batch;
  Builder().Build({}, 1, &batch);
  EXPECT_EQ(batch.num_sentences(), 0);
  EXPECT_THAT(batch.source_ids, IsEmpty());
}

BatchSampling Sampling(double dropout, int64_t longest = 100, int64_t tokens = 1000) {
  return {.subwords = {.dropout = dropout},
          .seed = 5,
          .longest_sentence = longest,
          .limits = {.target_tokens = tokens, .source_tokens = tokens, .sentences = 1000}};
}

TEST_F(BatchBuilderTest, SampledSentencesDifferByEpochTurnAndSide) {
  const TokenShard shard =
      LetterShard(directory_ / "third",
                  {{std::string(64, 'a'), std::string(64, 'a')}, {std::string(64, 'a'), "b"}});
  BatchBuilder builder({&shard}, {&tokenizer_, &tokenizer_, -1, Sampling(0.5)});
  const auto source = [&](int64_t index, int64_t epoch, int64_t turn) {
    Batch batch;
    builder.Build(std::vector<PlannedSentence>{{0, index, turn}}, epoch, &batch);
    EXPECT_NE(batch.num_source_tokens(), batch.num_target_tokens());
    return batch.num_source_tokens();
  };
  const int64_t length = source(0, 1, 0);
  EXPECT_GT(length, 65);
  EXPECT_EQ(source(0, 1, 0), length);
  EXPECT_NE(source(0, 2, 0), length);
  EXPECT_NE(source(0, 1, 1), length);
  EXPECT_NE(source(1, 1, 0), length);
}

TEST_F(BatchBuilderTest, ASampleThatIsTooLongIsNotUsed) {
  Batch batch;
  const std::vector<PlannedSentence> sentences = {{1, 0}, {1, 1}};  // 4 + 3 and 3 + 5 tokens
  Builder(Sampling(1, 100)).Build(sentences, 1, &batch);
  EXPECT_THAT(batch.source.lengths(), ElementsAre(5, 7));
  EXPECT_THAT(batch.target.lengths(), ElementsAre(9, 5));
  Builder(Sampling(1, 6)).Build(sentences, 1, &batch);
  EXPECT_THAT(batch.source.lengths(), ElementsAre(5, 4));
  EXPECT_THAT(batch.target.lengths(), ElementsAre(5, 5));
}

TEST_F(BatchBuilderTest, SamplesKeepWithinTheLimits) {
  Batch batch;
  const std::vector<PlannedSentence> sentences = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}};
  for (int64_t tokens = 14; tokens <= 26; ++tokens) {  // 13 source and 14 target tokens as stored
    Builder(Sampling(1, 100, tokens)).Build(sentences, 1, &batch);
    EXPECT_LE(batch.num_source_tokens(), tokens);
    EXPECT_LE(batch.num_target_tokens(), tokens);
    EXPECT_GE(batch.num_target_tokens(), std::min<int64_t>(tokens - 3, 23));
  }
}

TEST_F(BatchBuilderTest, SamplingNeedsTheText) {
  ShardWriter writer(directory_ / "bare", {28, false, ""});
  writer.Finish();
  const TokenShard bare(directory_ / "bare");
  EXPECT_THROW(BatchBuilder({&bare}, {&tokenizer_, &tokenizer_, -1, Sampling(1)}), InternalError);
}

TEST_F(BatchBuilderTest, IdsBeyondTheVocabularyAreBugs) {
  ShardWriter writer(directory_ / "large", {1000, false, ""});
  writer.Add({std::vector<int32_t>{28}, std::vector<int32_t>{2}, "", "", 1});
  writer.Finish();
  const TokenShard large(directory_ / "large");
  BatchBuilder builder({&large}, {&tokenizer_, &tokenizer_, -1, std::nullopt});
  Batch batch;
  EXPECT_THROW(builder.Build(std::vector<PlannedSentence>{{0, 0}}, 1, &batch), InternalError);
}

}  // namespace
}  // namespace heed
