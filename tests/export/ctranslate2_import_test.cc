#include "export/ctranslate2_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "checkpoint/model_directory.h"
#include "export/ctranslate2_export.h"
#include "export/ctranslate2_names.h"
#include "export/ctranslate2_reader.h"
#include "export/ctranslate2_writer.h"
#include "export/portable_weights.h"
#include "models/model_factory.h"
#include "tests/export/export_fixture.h"
#include "text/piece_list.h"
#include "util/check.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

fs::path Export(const ModelOnDisk& disk, ElementType type = ElementType::kFloat32) {
  const fs::path output = disk / "exported";
  fs::create_directories(output);
  WriteCtranslate2Model(ModelSource(disk.path()), type, output);
  return output;
}

// The values of a model's parameters, by name.
std::map<std::string, std::vector<float>> ValuesOf(
    const TransformerShape& shape, const std::function<void(const ParameterStore&)>& fill) {
  ParameterStore store;
  const auto model = MakeModel(store, shape, false);
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  fill(store);
  std::map<std::string, std::vector<float>> values;
  for (const auto& parameter : store.parameters()) {
    const float* first = parameter->value.Row<float>(0);
    values[parameter->name].assign(first, first + parameter->size());
  }
  return values;
}

std::map<std::string, std::vector<float>> ValuesOf(const ImportedModel& model) {
  return ValuesOf(model.shape, model.fill);
}
std::map<std::string, std::vector<float>> ValuesOf(const ModelOnDisk& disk) {
  const ModelSource source(disk.path());
  return ValuesOf(source.shape(),
                  [&](const ParameterStore& store) { LoadModel(source.directory(), store); });
}

TEST(Ctranslate2Import, ExportThenImportGivesTheSameModelBitForBit) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    const ImportedModel imported = ImportCtranslate2(Export(disk), {});
    const ModelSource source(disk.path());
    ModelOptions options = imported.shape.options;
    options.dropout = source.options().dropout;
    EXPECT_EQ(options.positions.kind, source.options().positions.kind) << variant.name;
    EXPECT_EQ(imported.shape.begin_id, source.shape().begin_id);
    EXPECT_EQ(imported.vocabularies.is_joint(), source.vocabularies().is_joint());
    const bool is_moved = variant.name.find("interleaved") != std::string::npos &&
                          options.positions.kind == PositionKind::kSinusoidal;
    if (is_moved) {
      EXPECT_EQ(options.positions.layout, SinusoidLayout::kHalf);
      continue;  // the same function, its columns in another order
    }
    EXPECT_EQ(ValuesOf(imported), ValuesOf(disk)) << variant.name;
    if (options.positions.kind == PositionKind::kSinusoidal) {
      EXPECT_EQ(options, source.options()) << variant.name;
    }
  }
}

TEST(Ctranslate2Import, SixteenBitAndByteWeightsBecomeFloats) {
  const ModelOnDisk disk(SmallRecipe());
  const auto wanted = ValuesOf(disk);
  for (const ElementType type : {ElementType::kFloat16, ElementType::kInt8}) {
    const ImportedModel imported = ImportCtranslate2(Export(disk, type), {});
    EXPECT_EQ(imported.shape.options.positions.kind, PositionKind::kSinusoidal);
    const auto values = ValuesOf(imported);
    for (const auto& [name, wanted_values] : wanted) {
      for (size_t i = 0; i < wanted_values.size(); ++i) {
        ASSERT_NEAR(values.at(name)[i], wanted_values[i], 0.02) << name;
      }
    }
  }
}

// A directory as another converter may write it: an additional token, and every piece elsewhere.
TEST(Ctranslate2Import, PiecesMayHaveAnyOrder) {
  const ModelOnDisk disk(SmallRecipe());
  const fs::path directory = Export(disk);
  auto list = ReadJsonFile(directory / "shared_vocabulary.json").get<std::vector<std::string>>();
  std::vector<int64_t> order(list.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(order.size() - 1 - i);
  const PortableWeights weights{ModelSource(disk.path())};
  std::ranges::reverse(list);
  WriteFile(directory / "shared_vocabulary.json", nlohmann::json(list).dump());
  const auto wanted = ValuesOf(disk).at("embedding.weight");
  const auto turned = ValuesOf(ImportCtranslate2(directory, {})).at("embedding.weight");
  const int64_t width = SmallRecipe().model.model_width;
  for (size_t i = 0; i < order.size(); ++i) {
    for (int64_t column = 0; column < width; ++column) {
      EXPECT_EQ(turned[i * static_cast<size_t>(width) + static_cast<size_t>(column)],
                wanted[static_cast<size_t>(order[i] * width + column)]);
    }
  }
}

class Ctranslate2ImportTest : public testing::Test {
 protected:
  void SetConfig(const char* key, const nlohmann::json& value) {
    nlohmann::json config = ReadJsonFile(directory_ / "config.json");
    config[key] = value;
    WriteFile(directory_ / "config.json", config.dump());
  }
  std::string Fault(const ImportVocabularies& vocabularies = {}) const {
    try {
      ImportCtranslate2(directory_, vocabularies);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  const ModelOnDisk disk_{SmallRecipe()};
  const fs::path directory_ = Export(disk_);
};

TEST_F(Ctranslate2ImportTest, WhatHeedWouldComputeOtherwiseIsRefused) {
  SetConfig("add_source_bos", true);
  EXPECT_THAT(Fault(), HasSubstr("it adds a begin mark to sources"));
  SetConfig("add_source_eos", "yes");
  EXPECT_THAT(Fault(), HasSubstr("config.json: 'add_source_eos' has the wrong type"));
}

TEST_F(Ctranslate2ImportTest, SourcesWithoutAnEndMarkHaveAListThatSaysSo) {
  const auto before = ValuesOf(ImportCtranslate2(directory_, {}));
  SetConfig("add_source_eos", false);
  const ImportedModel imported = ImportCtranslate2(directory_, {});
  ASSERT_NE(imported.vocabularies.source->list(), nullptr);
  EXPECT_FALSE(imported.vocabularies.source->list()->ends_source());
  EXPECT_TRUE(imported.vocabularies.is_joint());
  EXPECT_EQ(ValuesOf(imported), before);  // our export's ids are SentencePiece's
}

TEST(Ctranslate2Import, ListsOfPiecesComeBack) {
  const ModelOnDisk disk(ListedRecipe());
  const ImportedModel imported = ImportCtranslate2(Export(disk), {});
  const ModelSource source(disk.path());
  EXPECT_EQ(FingerprintOf(imported.vocabularies), FingerprintOf(source.vocabularies()));
  EXPECT_TRUE(imported.vocabularies.shares_ids());
  EXPECT_EQ(ValuesOf(imported), ValuesOf(disk));
}

TEST_F(Ctranslate2ImportTest, TensorsThatHeedLacksAreRefused) {
  RowSource row = ZeroRows("row", 1, 16);
  row.is_vector = true;
  std::vector<Ctranslate2Variable> variables =
      Ctranslate2Tensor("encoder/layernorm_embedding/gamma", row, ElementType::kFloat32, false);
  const Ctranslate2Reader reader(directory_ / "model.bin");
  for (const std::string& name : reader.Names()) {
    if (reader.IsScalar(name)) {
      variables.push_back(Ctranslate2Scalar(name, Ctranslate2Type::kInt16,
                                            static_cast<int64_t>(*reader.Scalar(name))));
      continue;
    }
    auto tensor = Ctranslate2Tensor(name, reader.Rows(name), ElementType::kFloat32, true);
    variables.push_back(std::move(tensor.front()));
  }
  WriteCtranslate2File(disk_ / "other.bin", std::move(variables),
                       Ctranslate2Aliases(SmallRecipe().model));
  fs::rename(disk_ / "other.bin", directory_ / "model.bin");
  EXPECT_THAT(Fault(), HasSubstr("Heed does not know 'encoder/layernorm_embedding/gamma'"));
}

TEST_F(Ctranslate2ImportTest, AListLongerThanTheTableIsAUserError) {
  auto list = ReadJsonFile(directory_ / "shared_vocabulary.json").get<std::vector<std::string>>();
  list.insert(list.begin(), "<blank>");
  WriteFile(directory_ / "shared_vocabulary.json", nlohmann::json(list).dump());
  EXPECT_THAT(Fault(), HasSubstr("has 90 rows, fewer than the vocabulary has pieces"));
}

TEST_F(Ctranslate2ImportTest, TheVocabularyMustFit) {
  Recipe separate = SmallRecipe();
  separate.vocabulary.joint = false;
  const Vocabularies others = MakeVocabularies(separate);
  WriteFile(disk_ / "other.spm", others.source->serialized());
  // Another model that cuts text for the same list; then one whose pieces the list lacks.
  EXPECT_EQ(Fault({.source = disk_ / "other.spm", .target = ""}), "");
  auto list = ReadJsonFile(directory_ / "shared_vocabulary.json").get<std::vector<std::string>>();
  for (std::string& piece : list) {
    if (!piece.starts_with('<')) piece += "?";
  }
  WriteFile(directory_ / "shared_vocabulary.json", nlohmann::json(list).dump());
  EXPECT_THAT(Fault(), HasSubstr("is this the model that it was trained with?"));
  fs::remove(directory_ / "sentencepiece.model");
  EXPECT_THAT(Fault(), HasSubstr("name the SentencePiece model with --vocabulary"));
}

}  // namespace
}  // namespace heed
