#include "export/ctranslate2_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/ctranslate2_export.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

class Ctranslate2ModelTest : public testing::Test {
 protected:
  Ctranslate2ModelTest() { fs::create_directories(output_); }
  std::string FaultOf(const std::string& file, const std::string& content) {
    WriteCtranslate2Model(ModelSource(disk_.path()), ElementType::kFloat32, output_);
    WriteFile(output_ / file, content);
    try {
      ReadCtranslate2Model(output_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  const ModelOnDisk disk_{SmallRecipe()};
  const fs::path output_ = disk_ / "exported";
};

// Everything but the positions, which have become a table, and what only training needs.
TEST(Ctranslate2Model, OptionsComeBackFromTheFiles) {
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe);
    const ModelSource source(disk.path());
    fs::create_directories(disk / "exported");
    WriteCtranslate2Model(source, ElementType::kFloat32, disk / "exported");
    TransformerShape shape = ReadCtranslate2Model(disk / "exported").shape;
    EXPECT_EQ(shape.begin_id, source.shape().begin_id);
    EXPECT_EQ(shape.source_vocabulary, source.shape().source_vocabulary);
    EXPECT_EQ(shape.target_vocabulary, source.shape().target_vocabulary);
    EXPECT_EQ(shape.options.positions.kind, PositionKind::kLearned);
    shape.options.positions = source.options().positions;
    shape.options.dropout = source.options().dropout;
    EXPECT_EQ(shape.options, source.options()) << variant.name;
  }
}

TEST_F(Ctranslate2ModelTest, BrokenFilesAreUserErrors) {
  EXPECT_THAT(FaultOf("config.json", "{"), testing::HasSubstr("config.json is not JSON"));
  EXPECT_THAT(FaultOf("shared_vocabulary.json", "{\"a\": 1}"),
              testing::HasSubstr("is not a list of strings"));
  EXPECT_THAT(FaultOf("shared_vocabulary.json", "[1, 2]"),
              testing::HasSubstr("is not a list of strings"));
  EXPECT_THAT(FaultOf("model.bin", "nothing"), testing::HasSubstr("model.bin"));
}

}  // namespace
}  // namespace heed
