#include "export/marian_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "checkpoint/checkpoint.h"
#include "checkpoint/manifest.h"
#include "export/export_model.h"
#include "export/marian_reader.h"
#include "tests/export/marian_variants.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::set<std::string> NamesIn(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(MarianExport, JointVocabulariesAreNamedTwice) {
  const ModelOnDisk disk(SmallRecipe());
  const ModelSource model(disk.path());
  ExportModel(model, {ExportFormat::kMarian}, disk / "out", *MakeBackend({}));
  EXPECT_EQ(NamesIn(disk / "out"), (std::set<std::string>{"model.npz", "decoder.yml", "vocab.spm",
                                                          "vocab.yml", "manifest.json"}));
  EXPECT_EQ(ReadFile(disk / "out" / "vocab.spm"), model.vocabularies().source->serialized());
  EXPECT_THAT(ReadFile(disk / "out" / "decoder.yml"),
              HasSubstr("models:\n  - model.npz\nvocabs:\n  - vocab.spm\n  - vocab.spm\n"));
}

TEST(MarianExport, SeparateVocabulariesAreSourceAndTarget) {
  Recipe recipe = SmallRecipe();
  recipe.vocabulary.joint = false;
  recipe.model.tie_embeddings = EmbeddingTying::kDecoder;
  const ModelOnDisk disk(recipe);
  const ModelSource model(disk.path());
  ExportModel(model, {ExportFormat::kMarianBin}, disk / "out", *MakeBackend({}));
  EXPECT_EQ(NamesIn(disk / "out"),
            (std::set<std::string>{"model.bin", "decoder.yml", "vocab.src.spm", "vocab.trg.spm",
                                   "src.vocab.yml", "trg.vocab.yml", "manifest.json"}));
  EXPECT_EQ(ReadFile(disk / "out" / "vocab.trg.spm"), model.vocabularies().target->serialized());
  EXPECT_THAT(ReadFile(disk / "out" / "decoder.yml"),
              HasSubstr("vocabs:\n  - vocab.src.spm\n  - vocab.trg.spm\n"));
}

// Marian reads the list then: the SentencePiece models only cut text.
TEST(MarianExport, ListsOfPiecesAreTheVocabularies) {
  const ModelOnDisk disk(ListedRecipe());
  const ModelSource model(disk.path());
  ExportModel(model, {ExportFormat::kMarian}, disk / "out", *MakeBackend({}));
  EXPECT_EQ(NamesIn(disk / "out"),
            (std::set<std::string>{"model.npz", "decoder.yml", "source.spm", "target.spm",
                                   "vocab.yml", "manifest.json"}));
  EXPECT_EQ(ReadFile(disk / "out" / "target.spm"), model.vocabularies().target->serialized());
  EXPECT_THAT(ReadFile(disk / "out" / "decoder.yml"),
              HasSubstr("vocabs:\n  - vocab.yml\n  - vocab.yml\n"));
  EXPECT_THAT(ReadFile(disk / "out" / "vocab.yml"), HasSubstr("\">>deu<<\": "));
}

TEST(MarianExport, BothFilesHoldTheSame) {
  for (const ModelVariant& variant : MarianVariants()) {
    const ModelOnDisk disk(variant.recipe);
    const ModelSource model(disk.path());
    const auto backend = MakeBackend({});
    const auto npz = ExportModel(model, {ExportFormat::kMarian}, disk / "npz", *backend);
    const auto bin = ExportModel(model, {ExportFormat::kMarianBin}, disk / "bin", *backend);
    EXPECT_LT(npz.largest_difference, 1e-4) << variant.name;
    EXPECT_EQ(npz.largest_difference, bin.largest_difference) << variant.name;
    EXPECT_EQ(MarianReader(disk / "npz" / "model.npz").Text(kMarianConfig),
              MarianReader(disk / "bin" / "model.bin").Text(kMarianConfig));
    // Marian has one epsilon for all models, which is that of the last of these.
    EXPECT_EQ(npz.largest_difference == 0, variant.name == "pre_bare") << variant.name;
  }
}

// Multiplies tensors of a model's file by a factor.
void Scale(const ModelOnDisk& disk, const std::vector<std::string>& names, float factor) {
  std::string bytes = ReadFile(disk.path() / kModelFile);
  const SafetensorsReader reader(disk.path() / kModelFile);
  const std::byte* first = reader.tensors().front().data;
  for (const StoredTensor& tensor : reader.tensors()) first = std::min(first, tensor.data);
  int64_t data_bytes = 0;
  for (const StoredTensor& tensor : reader.tensors()) {
    data_bytes += tensor.elements * static_cast<int64_t>(sizeof(float));
  }
  for (const std::string& name : names) {
    const StoredTensor& tensor = reader.Get(name);
    char* place = bytes.data() + (std::ssize(bytes) - data_bytes) + (tensor.data - first);
    for (int64_t i = 0; i < tensor.elements; ++i, place += sizeof(float)) {
      float value;
      std::memcpy(&value, place, sizeof value);
      value *= factor;
      std::memcpy(place, &value, sizeof value);
    }
  }
  WriteFile(disk.path() / kModelFile, bytes);
  Manifest manifest = ReadManifest(disk.path());
  for (ManifestEntry& entry : manifest.files) {
    if (entry.file == kModelFile) entry.crc32 = Crc32(bytes.data(), std::ssize(bytes));
  }
  WriteManifest(disk.path(), manifest);
}

// Values so small that what is added to their variance matters.
TEST(MarianExport, AnEpsilonThatMattersIsRefused) {
  const ModelOnDisk disk(SmallRecipe());
  Scale(
      disk,
      {"encoder.layer1.feed_forward_norm.weight", "encoder.layer1.feed_forward_norm.bias",
       "encoder.layer2.self_attention.output.weight", "encoder.layer2.self_attention.output.bias"},
      1e-3F);
  try {
    ExportModel(ModelSource(disk.path()), {ExportFormat::kMarian}, disk / "out", *MakeBackend({}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("layer norm adds 1.0e-06 to the variance there and 1.0e-05 "
                                        "in the model; that changes log-probabilities by"));
    EXPECT_THAT(error.what(), HasSubstr("train with model.layer_norm_epsilon: 1.0e-06"));
  }
  EXPECT_FALSE(fs::exists(disk / "out"));
}

}  // namespace
}  // namespace heed
