#include "export/ctranslate2_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "export/ctranslate2_export.h"
#include "export/ctranslate2_names.h"
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

// Where a variable's record begins, after the length of its name.
size_t FindName(const std::string& bytes, const std::string& name) {
  const size_t found = bytes.find(name + '\0');
  EXPECT_NE(found, std::string::npos) << name;
  return found;
}

TEST_F(Ctranslate2ModelTest, AFileThatClaimsAHugeModelIsRefusedBeforeMemoryIsAskedFor) {
  WriteCtranslate2Model(ModelSource(disk_.path()), ElementType::kFloat32, output_);
  const std::string bytes = ReadFile(output_ / "model.bin");
  // Feed-forward layers of [2^32 - 1, 0], which take no bytes; the old data becomes the name of the
  // next variable unless it is cut out.
  const std::string name = "encoder/layer_0/ffn/linear_0/weight";
  const size_t shape = FindName(bytes, name) + name.size() + 2;
  std::string empty = bytes;
  empty.replace(shape, 13 + 24 * 16 * 4, std::string("\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0", 13));
  EXPECT_THAT(FaultOf("model.bin", empty), testing::HasSubstr("feed-forward"));
  // One attention head more than divides the width.
  const std::string heads = "encoder/num_heads";
  std::string three = bytes;
  for (const std::string stack : {"encoder", "decoder"}) {
    three[FindName(bytes, stack + "/num_heads") + heads.size() + 2 + 1 + 4] = 3;
  }
  EXPECT_THAT(FaultOf("model.bin", three), testing::HasSubstr("attention heads"));
}

// Whatever a byte becomes, the file is read or refused.
TEST_F(Ctranslate2ModelTest, MutatedFilesAreReadOrRefused) {
  WriteCtranslate2Model(ModelSource(disk_.path()), ElementType::kInt8, output_);
  const std::string bytes = ReadFile(output_ / "model.bin");
  // Not in the table of positions, which is most of the file and where any bits are a number.
  const size_t table = FindName(bytes, kCtranslate2DecoderPositions) + 64;
  constexpr size_t kTableBytes = 2000 * 16 * 4;
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 100; ++round) {
    std::string mutated = bytes;
    const size_t place = random() % (bytes.size() - kTableBytes);
    mutated[place < table ? place : place + kTableBytes] = static_cast<char>(random());
    WriteFile(output_ / "model.bin", mutated);
    try {
      ReadCtranslate2Model(output_);
    } catch (const UserError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
  EXPECT_LT(refused, 100);
}

}  // namespace
}  // namespace heed
