#include "data/prepare_key.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/data/sample_recipe.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(PrepareKey, ContentDecidesTheHashOfAFile) {
  const TemporaryDirectory directory;
  const auto hash = [&](const std::string& content) {
    WriteFile(directory / "file", content);
    return ContentHash(directory / "file");
  };
  EXPECT_EQ(hash("abc"), hash("abc"));
  EXPECT_NE(hash("abc"), hash("abd"));
  EXPECT_NE(hash(""), hash("a"));
  EXPECT_THROW(ContentHash(directory / "absent"), UserError);
}

TEST(PrepareKey, OfLargeFilesBlocksCount) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "file";
  WriteFile(path, "start");
  std::filesystem::resize_file(path, 70'000'000);  // zeros; more than 64 blocks
  const std::string hash = ContentHash(path);
  std::filesystem::resize_file(path, 70'000'001);
  EXPECT_NE(ContentHash(path), hash);
  std::filesystem::resize_file(path, 69'999'999);
  std::filesystem::resize_file(path, 70'000'000);
  EXPECT_EQ(ContentHash(path), hash);
  const auto put = [&](int64_t position) {
    std::FILE* file = std::fopen(path.c_str(), "r+b");
    ASSERT_NE(file, nullptr);
    std::fseek(file, position, SEEK_SET);
    std::fputc('x', file);
    std::fclose(file);
  };
  put(0);
  const std::string other_start = ContentHash(path);
  EXPECT_NE(other_start, hash);
  put(69'999'999);
  EXPECT_NE(ContentHash(path), other_start);
}

class PrepareKeyTest : public testing::Test {
 protected:
  PrepareKey Vocabulary() {
    return VocabularyKey(sample_.recipe, TrainingCorpusKey(sample_.recipe));
  }
  PrepareKey Shards() {
    return ShardKey(sample_.recipe, TrainingCorpusKey(sample_.recipe), "v1", "v2");
  }

  // What a change of the recipe changes in both keys; "" = nothing.
  std::pair<std::string, std::string> Changes(const std::function<void(Recipe*)>& change) {
    const PrepareKey vocabulary = Vocabulary(), shards = Shards();
    const Recipe saved = sample_.recipe;
    change(&sample_.recipe);
    const auto result = std::pair(FirstChange(vocabulary, Vocabulary()).value_or(""),
                                  FirstChange(shards, Shards()).value_or(""));
    EXPECT_EQ(HashOfKey(shards) == HashOfKey(Shards()), result.second.empty());
    sample_.recipe = saved;
    return result;
  }
  using Pair = std::pair<std::string, std::string>;

  SampleRecipe sample_{20};
};

TEST_F(PrepareKeyTest, WhatDoesNotMatterChangesNothing) {
  EXPECT_EQ(Changes([](Recipe*) {}), Pair("", ""));
  EXPECT_EQ(Changes([](Recipe* recipe) {
              recipe->seed = 9;
              recipe->training.batch_tokens = 7;
              recipe->data.train[0].weight = 3;
              recipe->data.train[0].name = "other";
              recipe->data.shuffle = false;
            }),
            Pair("", ""));
}

TEST_F(PrepareKeyTest, ChangesHaveTheNameOfTheirKey) {
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->vocabulary.size = 9; }),
            Pair("vocabulary.size", ""));
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->vocabulary.shared_ids = true; }), Pair("", ""));
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->data.filters.max_length = 9; }),
            Pair("", "data.filters.max_length"));
  EXPECT_EQ(
      Changes([](Recipe* recipe) { recipe->data.filters.heuristics.min_letter_share = 0.5; }),
      Pair("data.filters.heuristics.min_letter_share", "data.filters.heuristics.min_letter_share"));
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->vocabulary.sampling.alpha = 0.5; }),
            Pair("", "vocabulary.sampling"));
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->model.decoder_start = DecoderStart::kLearned; }),
            Pair("model.decoder_start", ""));
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->data.valid = {}; }), Pair("", "data.valid"));
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->data.train.clear(); }),
            Pair("data.train[0]", "data.train[0]"));
}

TEST_F(PrepareKeyTest, ChangedFilesAreNoticed) {
  EXPECT_EQ(Changes([](Recipe* recipe) {
              std::string text = ReadFile(recipe->data.train[0].target);
              text[10] ^= 1;
              WriteFile(recipe->data.train[0].target, text);
            }),
            Pair("data.train[0]", "data.train[0]"));
  EXPECT_EQ(Changes([](Recipe* recipe) { WriteFile(recipe->data.valid.source, "x\n"); }),
            Pair("", "data.valid"));
}

TEST_F(PrepareKeyTest, ColumnsOfTsvFilesCount) {
  TrainingCorpusOptions corpus;
  corpus.tsv = (sample_.directory / "c.tsv").string();
  WriteFile(corpus.tsv, "a\tb\n");
  sample_.recipe.data.train = {corpus};
  EXPECT_EQ(Changes([](Recipe* recipe) { recipe->data.train[0].target_column = 3; }),
            Pair("data.train[0]", "data.train[0]"));
}

TEST_F(PrepareKeyTest, OtherVocabulariesMeanOtherShards) {
  const PrepareKey corpora = TrainingCorpusKey(sample_.recipe);
  EXPECT_EQ(FirstChange(ShardKey(sample_.recipe, corpora, "a", "b"),
                        ShardKey(sample_.recipe, corpora, "a", "c")),
            "the target vocabulary");
}

}  // namespace
}  // namespace heed
