#include "export/model_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/checkpoint.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

TEST(ModelSource, DescribesTheModel) {
  Recipe recipe = SmallRecipe();
  recipe.model.decoder_start = DecoderStart::kLearned;
  const ModelOnDisk disk(recipe);
  const ModelSource model(disk.path());
  EXPECT_EQ(model.options(), recipe.model);
  EXPECT_EQ(model.update(), 77);
  EXPECT_EQ(model.shape().source_vocabulary, 90);
  EXPECT_EQ(model.shape().begin_id, 2);
  EXPECT_EQ(model.Rows("encoder.layer1.self_attention.qkv.weight").shape(),
            (std::vector<int64_t>{48, 16}));
  EXPECT_TRUE(model.Rows("encoder.layer1.self_attention.qkv.bias").is_vector);
  EXPECT_THROW(model.Rows("encoder.layer9.self_attention.qkv.bias"), UserError);
}

TEST(ModelSource, TakesTheAverageIfThereIsOne) {
  const ModelOnDisk plain(SmallRecipe());
  const ModelOnDisk averaged(SmallRecipe(), true);
  const ModelSource last(plain.path());
  const ModelSource average(averaged.path());
  EXPECT_EQ(last.weights_file(), "model.safetensors");
  EXPECT_EQ(average.weights_file(), "average.safetensors");
  std::vector<float> a(16), b(16);
  last.Rows("embedding.weight").read(3, a);
  average.Rows("embedding.weight").read(3, b);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(b[i], 0.5F * a[i]);
}

TEST(ModelSource, AWeightOfOneOutputIsAMatrix) {
  Recipe recipe = SmallRecipe();
  recipe.model.feed_forward_width = 1;
  const ModelOnDisk disk(recipe);
  const ModelSource model(disk.path());
  EXPECT_EQ(model.Rows("encoder.layer1.feed_forward.up.weight").shape(),
            (std::vector<int64_t>{1, 16}));
  EXPECT_TRUE(model.Rows("encoder.layer1.feed_forward_norm.weight").is_vector);
}

TEST(ModelSource, DamagedFilesAreNamed) {
  const ModelOnDisk disk(SmallRecipe());
  std::string bytes = ReadFile(disk.path() / kModelFile);
  bytes[bytes.size() - 5] ^= 1;
  WriteFile(disk.path() / kModelFile, bytes);
  try {
    const ModelSource model(disk.path());
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("model.safetensors is damaged"));
  }
}

}  // namespace
}  // namespace heed
