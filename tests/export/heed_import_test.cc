#include "export/heed_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/manifest.h"
#include "config/recipe_reader.h"
#include "decode/loaded_model.h"
#include "export/import_model.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Trained and saved by Heed 0.1.0 (revision de14e0b) on made-up sentences: a checkpoint as it was
// written, which every later version must read.
fs::path Golden() {
  return fs::path(HEED_SOURCE_DIR) / "tests/export/heed_0.1.0";
}

const std::vector<std::string> kTexts = {"the old tree", "two red street with water",
                                         "on a green house"};

std::vector<Translation> TranslateWith(const fs::path& path, Backend& backend) {
  std::vector<std::unique_ptr<LoadedModel>> models;
  models.push_back(LoadTranslationModel(path, backend));
  Translator translator(MakeSystem(models), models.front()->recipe.decoding, 1, backend);
  std::vector<Translation> best;
  for (const auto& translations : translator.Translate(kTexts))
    best.push_back(translations.front());
  return best;
}

std::vector<std::string> TextsOf(const std::vector<Translation>& translations) {
  std::vector<std::string> texts;
  for (const Translation& translation : translations) texts.push_back(translation.text);
  return texts;
}

TEST(HeedImport, ACheckpointOfVersion010TranslatesAsItDid) {
  const auto backend = MakeBackend({});
  const std::vector<Translation> translations = TranslateWith(Golden(), *backend);
  EXPECT_THAT(TextsOf(translations),
              ElementsAre("der alt Baum", "zwei rot Straße mit Wasser", "auf ein grün Haus"));
  const std::vector<double> wanted = {-0.4152234, -0.6137202, -0.5230025};
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(translations[i].log_probability, wanted[i], 1e-4);
  }
}

TEST(HeedImport, AnOldModelBecomesOneOfThisVersion) {
  const auto backend = MakeBackend({});
  const TemporaryDirectory directory;
  ImportModel(Golden(), {.format = ImportFormat::kHeed}, directory / "model", *backend);
  VerifyDirectory(directory / "model");
  EXPECT_EQ(ReadManifest(directory / "model").update, 1500);
  EXPECT_FALSE(fs::exists(directory / "model" / "optimizer.safetensors"));
  EXPECT_EQ(ReadFile(directory / "model" / "vocabulary.model"),
            ReadFile(Golden() / "vocabulary.model"));
  const auto recipe_of = [](const fs::path& model) {
    return ParseRecipe(ReadFile(model / "recipe.yaml"), "recipe.yaml");
  };
  Recipe recipe = recipe_of(directory / "model"), before = recipe_of(Golden());
  EXPECT_EQ(recipe.name, "model");
  before.name = recipe.name;
  before.output = recipe.output;
  EXPECT_EQ(recipe, before);
  const auto log_probability = [&](const fs::path& model) {
    return TranslateWith(model, *backend).front().log_probability;
  };
  EXPECT_EQ(log_probability(directory / "model"), log_probability(Golden()));
}

TEST(HeedImport, FilesOfANewerVersionOrDamagedOnesAreUserErrors) {
  const TemporaryDirectory directory;
  const fs::path model = directory / "model";
  fs::copy(Golden(), model);
  const auto fault = [&](const char* file, const std::string& from,
                         const std::string& to) -> std::string {
    const std::string whole = ReadFile(model / file);
    std::string changed = whole;
    changed.replace(changed.find(from), from.size(), to);
    WriteFile(model / file, changed);
    std::string message;
    try {
      ImportHeed(model);
    } catch (const UserError& error) {
      message = error.what();
    }
    WriteFile(model / file, whole);
    return message;
  };
  EXPECT_THAT(fault("manifest.json", "\"format\": 1", "\"format\": 2"),
              HasSubstr("has format 2, this version of Heed reads format 1; a newer one wrote it"));
  EXPECT_THAT(fault("recipe.yaml", "heads: 2", "heads: 4"), HasSubstr("damaged"));
  EXPECT_THAT(fault("model.safetensors", "embedding", "embeddinG"), HasSubstr("damaged"));
  EXPECT_THROW(ImportHeed(directory / "nothing"), UserError);
}

}  // namespace
}  // namespace heed
