#include "export/ctranslate2_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/ctranslate2_reader.h"
#include "tests/export/export_fixture.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

fs::path Export(const ModelOnDisk& disk, ElementType type) {
  const fs::path output = disk / "exported";
  fs::create_directories(output);
  WriteCtranslate2Model(ModelSource(disk.path()), type, output);
  return output;
}

TEST(Ctranslate2Export, WritesConfigurationVocabularyAndTokenizer) {
  const ModelOnDisk disk(SmallRecipe());
  const fs::path output = Export(disk, ElementType::kFloat32);
  const nlohmann::json config = ReadJsonFile(output / "config.json");
  EXPECT_EQ(config.at("add_source_eos"), true);
  EXPECT_EQ(config.at("decoder_start_token"), "</s>");
  EXPECT_EQ(config.at("layer_norm_epsilon"), 1e-5);
  const auto pieces =
      ReadJsonFile(output / "shared_vocabulary.json").get<std::vector<std::string>>();
  const ModelSource model(disk.path());
  ASSERT_EQ(std::ssize(pieces), 90);
  for (int32_t id = 0; id < 90; ++id) {
    EXPECT_EQ(pieces[static_cast<size_t>(id)], model.vocabularies().target->piece(id));
  }
  EXPECT_EQ(ReadFile(output / "sentencepiece.model"), model.vocabularies().source->serialized());
}

TEST(Ctranslate2Export, SeparateVocabulariesAreTwoFiles) {
  Recipe recipe = SmallRecipe();
  recipe.vocabulary.joint = false;
  recipe.model.tie_embeddings = EmbeddingTying::kDecoder;
  const ModelOnDisk disk(recipe);
  const fs::path output = Export(disk, ElementType::kFloat32);
  const ModelSource model(disk.path());
  EXPECT_EQ(ReadJsonFile(output / "source_vocabulary.json").at(40),
            model.vocabularies().source->piece(40));
  EXPECT_EQ(ReadJsonFile(output / "target_vocabulary.json").at(40),
            model.vocabularies().target->piece(40));
  EXPECT_EQ(ReadFile(output / "target.spm"), model.vocabularies().target->serialized());
  EXPECT_FALSE(fs::exists(output / "shared_vocabulary.json"));
}

TEST(Ctranslate2Export, TiedTablesAndPositionsAreStoredOnce) {
  const ModelOnDisk disk(SmallRecipe());
  const Ctranslate2Reader reader(Export(disk, ElementType::kFloat32) / "model.bin");
  EXPECT_TRUE(reader.IsAlias("encoder/embeddings_0/weight"));
  EXPECT_TRUE(reader.IsAlias("decoder/projection/weight"));
  EXPECT_TRUE(reader.IsAlias("encoder/position_encodings/encodings"));
  EXPECT_EQ(reader.Rows("encoder/position_encodings/encodings").rows, 2048);
  EXPECT_FALSE(reader.Contains("decoder/layer_norm/gamma"));
}

TEST(Ctranslate2Export, SixteenBitAndInt8FilesAreSmaller) {
  Recipe recipe = SmallRecipe();
  recipe.model.feed_forward_width = 2000;  // weights outweigh the positions
  const ModelOnDisk disk(recipe);
  const auto bytes = [&](ElementType type) {
    return static_cast<double>(FileSize(Export(disk, type) / "model.bin"));
  };
  const double whole = bytes(ElementType::kFloat32);
  EXPECT_NEAR(bytes(ElementType::kFloat16) / whole, 0.5, 0.01);
  EXPECT_NEAR(bytes(ElementType::kBfloat16) / whole, 0.5, 0.01);
  EXPECT_LT(bytes(ElementType::kInt8) / whole, 0.5);
}

TEST(Ctranslate2Export, ModelsOfTransformersHaveNoObstacles) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    EXPECT_THAT(FindCtranslate2Obstacles(ModelSource(disk.path()), ElementType::kInt8),
                testing::IsEmpty())
        << variant.name;
  }
}

}  // namespace
}  // namespace heed
