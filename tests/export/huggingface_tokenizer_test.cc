#include "export/huggingface_tokenizer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/export/export_fixture.h"
#include "text/piece_list.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(HuggingFaceTokenizer, TwoVocabulariesHaveTwoFilesAndNoTokenizerJson) {
  Recipe recipe = SmallRecipe();
  recipe.model.tie_embeddings = EmbeddingTying::kNone;
  recipe.vocabulary.joint = false;
  const ModelOnDisk disk(recipe);
  const fs::path output = disk / "out";
  fs::create_directories(output);
  WriteHuggingFaceTokenizer(ModelSource(disk.path()), 52, 70, output);
  EXPECT_FALSE(fs::exists(output / "tokenizer.json"));
  EXPECT_EQ(ReadJsonFile(output / "vocab.json").size(), 53U);
  EXPECT_EQ(ReadJsonFile(output / "target_vocab.json").size(), 49U);
  EXPECT_EQ(ReadJsonFile(output / "target_vocab.json").at("<pad>"), 52);
  const auto config = ReadJsonFile(output / "tokenizer_config.json");
  EXPECT_TRUE(config.at("separate_vocabs"));
  EXPECT_EQ(config.at("model_max_length"), 70);
  EXPECT_FALSE(config.at("clean_up_tokenization_spaces"));
}

TEST(HuggingFaceTokenizer, OneListOfPiecesHasOneFile) {
  const ModelOnDisk disk(ListedRecipe());
  const ModelSource model(disk.path());
  const fs::path output = disk / "out";
  fs::create_directories(output);
  const int64_t size = model.shape().source_vocabulary;
  WriteHuggingFaceTokenizer(model, size, 70, output);
  EXPECT_FALSE(fs::exists(output / "tokenizer.json"));
  EXPECT_FALSE(fs::exists(output / "target_vocab.json"));
  const auto ids = ReadJsonFile(output / "vocab.json");
  EXPECT_EQ(static_cast<int64_t>(ids.size()), size + 1);
  EXPECT_EQ(ids.at(">>deu<<"), model.vocabularies().source->list()->Find(">>deu<<"));
  EXPECT_EQ(ReadFile(output / "source.spm"), model.vocabularies().source->serialized());
  EXPECT_EQ(ReadFile(output / "target.spm"), model.vocabularies().target->serialized());
  EXPECT_FALSE(ReadJsonFile(output / "tokenizer_config.json").at("separate_vocabs"));
}

}  // namespace
}  // namespace heed
