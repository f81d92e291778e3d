#include "export/huggingface_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors_writer.h"
#include "export/export_model.h"
#include "export/huggingface_export.h"
#include "export/huggingface_weights.h"
#include "models/model_factory.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Values = std::map<std::string, std::vector<float>>;

Values ValuesOf(const TransformerShape& shape,
                const std::function<void(const ParameterStore&)>& fill) {
  ParameterStore store;
  const auto model = MakeModel(store, shape, false);
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  fill(store);
  Values values;
  for (const auto& parameter : store.parameters()) {
    const float* first = parameter->value.Row<float>(0);
    values[parameter->name].assign(first, first + parameter->size());
  }
  return values;
}

std::vector<ModelVariant> Variants() {
  std::vector<ModelVariant> variants;
  for (ModelVariant& variant : ExportVariants()) {
    const bool is_moved = variant.recipe.model.positions.kind == PositionKind::kSinusoidal &&
                          variant.recipe.model.positions.layout == SinusoidLayout::kInterleaved;
    if (!is_moved) variants.push_back(std::move(variant));
  }
  Recipe separate = SmallRecipe();
  separate.model.tie_embeddings = EmbeddingTying::kNone;
  separate.vocabulary.joint = false;
  variants.push_back({"post_separate", separate});
  Recipe begin = SmallRecipe();
  begin.model.decoder_start = DecoderStart::kLearned;
  begin.model.tie_embeddings = EmbeddingTying::kDecoder;
  begin.model.positions.frequency = SinusoidFrequency::kPaper;
  variants.push_back({"post_begin", begin});
  Recipe bare = SmallRecipe();
  bare.model.projection_bias = false;
  bare.model.output_bias = false;
  variants.push_back({"post_bare", bare});
  return variants;
}

TEST(HuggingFaceImport, ExportThenImportGivesTheSameModelBitForBit) {
  int64_t checked = 0;
  for (const ModelVariant& variant : Variants()) {
    const ModelOnDisk disk(variant.recipe);
    const ModelSource source(disk.path());
    if (!FindHuggingFaceObstacles(source, ElementType::kFloat32).empty()) continue;
    fs::create_directories(disk / "exported");
    WriteHuggingFaceModel(source, ElementType::kFloat32, disk / "exported");
    const ImportedModel imported = ImportHuggingFace(disk / "exported", {}, {});
    ModelOptions options = imported.shape.options;
    options.dropout = source.options().dropout;
    options.projection_bias = source.options().projection_bias;  // the class has zeros there
    options.output_bias = source.options().output_bias;
    if (options.positions.kind != PositionKind::kSinusoidal)
      options.positions = source.options().positions;
    EXPECT_EQ(options, source.options()) << variant.name;
    EXPECT_EQ(imported.shape.options.positions.kind, source.options().positions.kind);
    EXPECT_EQ(imported.shape.begin_id, source.shape().begin_id) << variant.name;
    EXPECT_EQ(FingerprintOf(imported.vocabularies), FingerprintOf(source.vocabularies()));
    EXPECT_EQ(imported.vocabularies.is_joint(), source.vocabularies().is_joint());
    Values values = ValuesOf(imported.shape, imported.fill);
    const Values wanted = ValuesOf(
        source.shape(), [&](const ParameterStore& store) { LoadModel(source.directory(), store); });
    for (auto& [name, before] : wanted) {
      EXPECT_EQ(values.at(name), before) << variant.name << " " << name;
      values.erase(name);
    }
    for (const auto& [name, added] : values) {
      EXPECT_EQ(added, std::vector<float>(added.size())) << variant.name << " " << name;
    }
    ++checked;
  }
  EXPECT_GE(checked, 6);
}

class HuggingFaceImportTest : public testing::Test {
 protected:
  HuggingFaceImportTest() {
    fs::create_directories(directory_);
    WriteHuggingFaceModel(ModelSource(disk_.path()), ElementType::kFloat32, directory_);
  }
  void Change(const char* file, const nlohmann::json& changes) const {
    nlohmann::json config = ReadJsonFile(directory_ / file);
    config.update(changes);
    WriteFile(directory_ / file, config.dump());
  }
  std::string Fault() const {
    try {
      ImportHuggingFace(directory_, {}, {});
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(directory_.string()));
      return error.what();
    }
    return "";
  }
  const ModelOnDisk disk_{SmallRecipe()};
  const fs::path directory_ = disk_ / "exported";
};

TEST_F(HuggingFaceImportTest, WithoutATableTheClassesFormulaHolds) {
  // What save_pretrained of MarianMTModel leaves out.
  EXPECT_EQ(ImportHuggingFace(directory_, {}, {}).shape.options.positions.frequency,
            SinusoidFrequency::kT2t);
  const HuggingFaceWeights weights(directory_);
  std::vector<TensorToWrite> tensors;
  for (const std::string& name : weights.Names()) {
    if (name.find("embed_positions") != std::string::npos) continue;
    RowSource rows = weights.Rows(name);
    std::vector<int64_t> shape = rows.shape();
    tensors.push_back({.name = name,
                       .type = "F32",
                       .shape = std::move(shape),
                       .write = [rows = std::move(rows)](AtomicFile& file) {
                         WriteFloats(rows, ElementType::kFloat32, file);
                       }});
  }
  WriteSafetensors(disk_ / "bare.safetensors", std::move(tensors));
  fs::rename(disk_ / "bare.safetensors", directory_ / "model.safetensors");
  const PositionOptions positions = ImportHuggingFace(directory_, {}, {}).shape.options.positions;
  EXPECT_EQ(positions.kind, PositionKind::kSinusoidal);
  EXPECT_EQ(positions.frequency, SinusoidFrequency::kPaper);
  EXPECT_EQ(positions.offset, 0);
}

TEST_F(HuggingFaceImportTest, DecodingMayStartFromAnyToken) {
  EXPECT_EQ(ImportHuggingFace(directory_, {}, {}).shape.begin_id, -1);  // the padding's zeros
  Change("config.json", {{"decoder_start_token_id", 5}});
  const ImportedModel imported = ImportHuggingFace(directory_, {}, {});
  EXPECT_EQ(imported.shape.begin_id, 5);
  EXPECT_EQ(imported.vocabularies.target->bos_id(), 5);
  EXPECT_EQ(imported.shape.options.decoder_start, DecoderStart::kLearned);
}

TEST_F(HuggingFaceImportTest, BrokenFilesAreUserErrorsThatNameThem) {
  for (const char* file : {"config.json", "model.safetensors", "vocab.json", "source.spm",
                           "target.spm", "tokenizer_config.json", "generation_config.json"}) {
    const std::string whole = ReadFile(directory_ / file);
    for (const size_t size : {size_t{0}, size_t{1}, whole.size() / 2, whole.size() - 3}) {
      WriteFile(directory_ / file, whole.substr(0, size));
      EXPECT_NE(Fault(), "") << file << " " << size;
    }
    WriteFile(directory_ / file, std::string(200'000, '['));
    EXPECT_NE(Fault(), "") << file;
    WriteFile(directory_ / file, "[[1]]");
    EXPECT_NE(Fault(), "") << file;
    WriteFile(directory_ / file, whole);
  }
  for (const char* file : {"config.json", "model.safetensors", "vocab.json", "source.spm"}) {
    fs::rename(directory_ / file, directory_ / "away");
    EXPECT_THAT(Fault(), HasSubstr(file));
    fs::rename(directory_ / "away", directory_ / file);
  }
  EXPECT_EQ(Fault(), "");
}

TEST_F(HuggingFaceImportTest, NumbersThatLieAreUserErrors) {
  const std::string whole = ReadFile(directory_ / "config.json");
  for (const nlohmann::json& lie :
       {nlohmann::json{{"vocab_size", 200'000'000}}, nlohmann::json{{"d_model", 1 << 17}},
        nlohmann::json{{"encoder_layers", 1000}}, nlohmann::json{{"encoder_layers", -1}},
        nlohmann::json{{"max_position_embeddings", 1 << 28}},
        nlohmann::json{{"decoder_start_token_id", 400}}, nlohmann::json{{"eos_token_id", 400}},
        nlohmann::json{{"eos_token_id", 7}}, nlohmann::json{{"encoder_attention_heads", 0}}}) {
    Change("config.json", lie);
    EXPECT_NE(Fault(), "") << lie;
    WriteFile(directory_ / "config.json", whole);
  }
}

}  // namespace
}  // namespace heed
