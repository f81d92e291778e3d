#include "export/import_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/manifest.h"
#include "decode/loaded_model.h"
#include "export/export_model.h"
#include "tests/export/export_fixture.h"
#include "tests/text/sample_text.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> Translate(const fs::path& path, Backend& backend) {
  const auto model = LoadTranslationModel(path, backend);
  DecodingOptions options;
  options.max_length = {.ratio = 0, .extra = 30};
  Translator translator({.models = {model->model.get()},
                         .source = model->source_tokenizer.get(),
                         .target = model->target_tokenizer.get()},
                        options, 4, backend);
  std::vector<std::string> texts;
  for (int64_t number = 2000; number < 2008; ++number) texts.push_back(SamplePair(number).first);
  std::vector<std::string> translations;
  for (const auto& best : translator.Translate(texts)) translations.push_back(best.front().text);
  return translations;
}

TEST(ImportModel, AnImportedModelTranslatesAsItsSourceDoes) {
  const auto backend = MakeBackend({});
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    ExportModel(ModelSource(disk.path()), {ExportFormat::kCtranslate2, ElementType::kFloat32},
                disk / "exported", *backend);
    const TransformerShape shape =
        ImportModel(disk / "exported", {.source_language = "en", .target_language = "de"},
                    disk / "imported", *backend);
    EXPECT_EQ(shape.options.encoder_layers, variant.recipe.model.encoder_layers);
    VerifyDirectory(disk / "imported");
    const ModelSource imported(disk / "imported");
    EXPECT_EQ(imported.recipe().name, "imported");
    EXPECT_EQ(imported.recipe().data.target_language, "de");
    EXPECT_EQ(Translate(disk / "imported", *backend), Translate(disk.path(), *backend))
        << variant.name;
  }
}

class ImportModelTest : public testing::Test {
 protected:
  ImportModelTest() {
    ExportModel(ModelSource(disk_.path()), {ExportFormat::kCtranslate2, ElementType::kFloat32},
                exported_, *backend_);
  }
  std::string Fault() {
    try {
      ImportModel(exported_, {}, disk_ / "imported", *backend_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  const std::unique_ptr<Backend> backend_ = MakeBackend({});
  const ModelOnDisk disk_{SmallRecipe()};
  const fs::path exported_ = disk_ / "exported";
};

TEST_F(ImportModelTest, WhatExistsIsNotReplaced) {
  fs::create_directories(disk_ / "imported");
  EXPECT_THAT(Fault(), HasSubstr("imported exists already"));
}

TEST_F(ImportModelTest, WeightsThatAreNotFiniteAreRefused) {
  std::string bytes = ReadFile(exported_ / "model.bin");
  const size_t name = bytes.find("encoder/layer_0/ffn/linear_0/bias");
  ASSERT_NE(name, std::string::npos);
  const size_t values = name + sizeof("encoder/layer_0/ffn/linear_0/bias") + 1 + 4 + 1 + 4;
  bytes.replace(values, 4, std::string("\0\0\xC0\x7F", 4));
  WriteFile(exported_ / "model.bin", bytes);
  EXPECT_THAT(Fault(), HasSubstr("log-probabilities that are not finite"));
  EXPECT_FALSE(fs::exists(disk_ / "imported"));
}

}  // namespace
}  // namespace heed
