#include "export/marian_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "checkpoint/checkpoint.h"
#include "checkpoint/safetensors_reader.h"
#include "decode/loaded_model.h"
#include "export/export_model.h"
#include "export/import_model.h"
#include "tests/export/marian_variants.h"
#include "tests/text/sample_text.h"
#include "text/piece_list.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool HaveEqualTensors(const fs::path& a, const fs::path& b) {
  const SafetensorsReader first(a / kModelFile), second(b / kModelFile);
  if (first.tensors().size() != second.tensors().size()) return false;
  return std::ranges::all_of(first.tensors(), [&](const StoredTensor& tensor) {
    const StoredTensor& other = second.Get(tensor.name);
    const auto bytes = static_cast<size_t>(tensor.elements) * sizeof(float);
    return tensor.shape == other.shape && std::memcmp(tensor.data, other.data, bytes) == 0;
  });
}

// As decoder.yml can say it.
Recipe ListedMarianRecipe() {
  Recipe recipe = ListedRecipe();
  recipe.model.layer_norm_epsilon = 1e-6;
  recipe.decoding.length_penalty = {LengthPenaltyKind::kAverage, 0.5};
  return recipe;
}

class MarianImportTest : public testing::Test {
 protected:
  void Export(const ModelOnDisk& disk, ExportFormat format, const std::string& name) {
    ExportModel(ModelSource(disk.path()), {format}, disk / name, *backend_);
  }
  void Import(const fs::path& from, const fs::path& to, const ImportVocabularies& given = {}) {
    ImportModel(from, {.format = ImportFormat::kMarian, .vocabularies = given}, to, *backend_);
  }
  std::string FaultOf(const ModelOnDisk& disk, const ImportVocabularies& given = {}) {
    try {
      Import(disk / "npz", disk / "imported", given);
    } catch (const UserError& error) {
      EXPECT_FALSE(fs::exists(disk / "imported"));
      return error.what();
    }
    return "";
  }
  std::vector<std::string> Translate(const fs::path& model) {
    const auto loaded = LoadTranslationModel(model, *backend_);
    Translator translator({.models = {loaded->model.get()},
                           .source = loaded->source_tokenizer.get(),
                           .target = loaded->target_tokenizer.get()},
                          loaded->recipe.decoding, 1, *backend_);
    std::vector<std::string> lines = {">>deu<< the old house", ""};
    for (int64_t number = 900; number < 908; ++number) lines.push_back(SamplePair(number).first);
    return translator.TranslateBest(lines);
  }

  std::unique_ptr<Backend> backend_ = MakeBackend({});
};

TEST_F(MarianImportTest, ExportsComeBackBitForBit) {
  std::vector<ModelVariant> variants = MarianVariants();
  variants.push_back({"listed", ListedRecipe()});
  for (ModelVariant& variant : variants) {
    ModelOptions& options = variant.recipe.model;
    if (!options.projection_bias) continue;  // comes back with biases of zero
    if (options.positions.layout == SinusoidLayout::kInterleaved) continue;  // turned
    options.layer_norm_epsilon = 1e-6;
    variant.recipe.decoding.length_penalty = {LengthPenaltyKind::kAverage, 0.5};
    variant.recipe.decoding.beam = 3;
    const ModelOnDisk disk(variant.recipe);
    for (const auto& [format, name] :
         {std::pair{ExportFormat::kMarian, "npz"}, std::pair{ExportFormat::kMarianBin, "bin"}}) {
      Export(disk, format, name);
      const fs::path imported = disk / (std::string(name) + "_imported");
      Import(disk / name, imported);
      EXPECT_TRUE(HaveEqualTensors(imported, disk.path())) << variant.name;
      const ModelSource before(disk.path()), after(imported);
      EXPECT_EQ(FingerprintOf(after.vocabularies()), FingerprintOf(before.vocabularies()));
      EXPECT_EQ(after.recipe().decoding, variant.recipe.decoding);
      EXPECT_EQ(Translate(imported), Translate(disk.path())) << variant.name;
    }
  }
}

TEST_F(MarianImportTest, ASingleFileTakesWhatIsBesideIt) {
  const ModelOnDisk disk(ListedMarianRecipe());
  Export(disk, ExportFormat::kMarian, "npz");
  fs::remove(disk / "npz" / "decoder.yml");
  Import(disk / "npz" / "model.npz", disk / "imported");
  EXPECT_TRUE(HaveEqualTensors(disk / "imported", disk.path()));
  const ModelSource model(disk / "imported");
  EXPECT_TRUE(model.recipe().vocabulary.shared_ids);
  EXPECT_TRUE(model.vocabularies().source->list()->MatchPrefix(">>deu<< x") >= 0);
}

TEST_F(MarianImportTest, ListsNeedSentencePieceModels) {
  const ModelOnDisk disk(ListedMarianRecipe());
  Export(disk, ExportFormat::kMarian, "npz");
  fs::rename(disk / "npz" / "target.spm", disk / "elsewhere.spm");
  EXPECT_THAT(FaultOf(disk), HasSubstr("the target vocabulary needs a SentencePiece model"));
  EXPECT_EQ(FaultOf(disk, {.source = "", .target = (disk / "elsewhere.spm").string()}), "");
  EXPECT_EQ(Translate(disk / "imported"), Translate(disk.path()));
}

TEST_F(MarianImportTest, VocabulariesMustBeTheModels) {
  const ModelOnDisk disk(ListedMarianRecipe());
  Export(disk, ExportFormat::kMarian, "npz");
  const std::string yaml = ReadFile(disk / "npz" / "vocab.yml");
  const auto with = [&](const std::string& text) {
    WriteFile(disk / "npz" / "vocab.yml", text);
    return FaultOf(disk);
  };
  EXPECT_THAT(with("a: 0\n"), HasSubstr("has 1 pieces, but the model has"));
  std::string without = yaml;
  without.replace(without.find("</s>"), 4, "<//>");
  EXPECT_THAT(with(without), HasSubstr("does not list the end mark, '</s>'"));
  std::string twice = yaml;
  twice.replace(twice.find("\"▁old\""), strlen("\"▁old\""), "\"▁the\"");
  EXPECT_THAT(with(twice), HasSubstr("'▁the' is piece"));
  // Marian does not read what is beyond the model's size.
  const int64_t size = ModelSource(disk.path()).shape().source_vocabulary;
  EXPECT_EQ(with(yaml + fmt::format("zzz: {}\n", size)), "");
  EXPECT_EQ(ModelSource(disk / "imported").vocabularies().source->size(), size);
}

TEST_F(MarianImportTest, DamagedDirectoriesAreModelsOrUserErrors) {
  const ModelOnDisk disk(ListedMarianRecipe());
  Export(disk, ExportFormat::kMarian, "npz");
  for (const char* name : {"vocab.yml", "decoder.yml", "source.spm"}) {
    const std::string bytes = ReadFile(disk / "npz" / name);
    const RandomStream stream{.seed = 5};
    for (uint32_t i = 0; i < 64; ++i) {
      std::string changed = bytes;
      const uint32_t random = RandomBits(stream, i);
      changed[(random >> 8) % bytes.size()] = static_cast<char>(random);
      for (const std::string& text : {bytes.substr(0, bytes.size() * i / 64), changed}) {
        WriteFile(disk / "npz" / name, text);
        try {
          ImportMarian(disk / "npz", {});
        } catch (const UserError&) {
        }
      }
    }
    WriteFile(disk / "npz" / name, bytes);
  }
  EXPECT_EQ(FaultOf(disk), "");
}

}  // namespace
}  // namespace heed
