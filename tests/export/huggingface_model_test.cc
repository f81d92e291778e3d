#include "export/huggingface_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/safetensors_writer.h"
#include "export/huggingface_export.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(HuggingFaceModel, OptionsComeBackFromTheFiles) {
  Recipe recipe = SmallRecipe();
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.activation = ActivationKind::kSilu;
  recipe.model.scale_embeddings = false;
  recipe.model.encoder_layers = 3;
  const ModelOnDisk disk(recipe);
  fs::create_directories(disk / "out");
  WriteHuggingFaceModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
  const TransformerShape shape = ReadHuggingFaceModel(disk / "out").shape;
  EXPECT_EQ(shape.source_vocabulary, 91);
  EXPECT_EQ(shape.target_vocabulary, 91);
  EXPECT_EQ(shape.begin_id, 90);
  EXPECT_EQ(shape.options.norm, NormPosition::kBefore);
  EXPECT_EQ(shape.options.activation, ActivationKind::kSilu);
  EXPECT_FALSE(shape.options.scale_embeddings);
  EXPECT_EQ(shape.options.encoder_layers, 3);
  EXPECT_EQ(shape.options.tie_embeddings, EmbeddingTying::kAll);
}

TEST(HuggingFaceModel, OtherModelsAreUserErrors) {
  const ModelOnDisk disk(SmallRecipe());
  fs::create_directories(disk / "out");
  const auto fault = [&](const std::string& from, const std::string& to) -> std::string {
    WriteHuggingFaceModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
    std::string config = ReadFile((disk / "out") / "config.json");
    config.replace(config.find(from), from.size(), to);
    WriteFile((disk / "out") / "config.json", config);
    try {
      ReadHuggingFaceModel(disk / "out");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault("\"relu\"", "\"mish\""), testing::HasSubstr("activation function is mish"));
  EXPECT_THAT(fault("\"d_model\": 16", "\"d_model\": 4000000000"), testing::HasSubstr("may have"));
  EXPECT_THAT(fault("\"encoder_layers\": 2", "\"encoder_layers\": 1"),
              testing::HasSubstr("Heed does not know 'model.encoder.layers.1.fc1.bias'"));
  EXPECT_THAT(fault("\"encoder_layers\": 2", "\"encoder_layers\": 3"),
              testing::HasSubstr("lack the tensor 'model.encoder.layers.2"));
  EXPECT_THAT(fault("\"vocab_size\": 91", "\"vocab_size\": 99"), testing::HasSubstr("is [91, 16]"));
}

TEST(HuggingFaceModel, ATableThatIsStoredTwiceMustBeTheSame) {
  const ModelOnDisk disk(SmallRecipe());
  fs::create_directories(disk / "out");
  WriteHuggingFaceModel(ModelSource(disk.path()), ElementType::kFloat32, disk / "out");
  const HuggingFaceWeights weights(disk / "out");
  const auto rewrite = [&](const std::string& extra, float shift) {
    std::vector<TensorToWrite> tensors;
    const auto add = [&](const std::string& name, RowSource rows, float more) {
      tensors.push_back({.name = name,
                         .type = "F32",
                         .shape = rows.shape(),
                         .write = [rows, more](AtomicFile& file) {
                           std::vector<float> row(static_cast<size_t>(rows.columns));
                           for (int64_t i = 0; i < rows.rows; ++i) {
                             rows.read(i, row);
                             row.back() += more;
                             file.Write(row.data(), row.size() * sizeof(float));
                           }
                         }});
    };
    for (const std::string& name : weights.Names()) add(name, weights.Rows(name), 0);
    add(extra, weights.Rows("model.shared.weight"), shift);
    fs::create_directories(disk / "twice");
    fs::copy_file(disk / "out/config.json", disk / "twice/config.json",
                  fs::copy_options::overwrite_existing);
    WriteSafetensors(disk / "twice/model.safetensors", std::move(tensors));
  };
  rewrite("lm_head.weight", 0);
  EXPECT_EQ(ReadHuggingFaceModel(disk / "twice").shape.source_vocabulary, 91);
  rewrite("lm_head.weight", 0.25F);
  EXPECT_THROW(ReadHuggingFaceModel(disk / "twice"), UserError);
}

}  // namespace
}  // namespace heed
