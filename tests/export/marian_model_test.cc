#include "export/marian_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/marian_export.h"
#include "export/parity.h"
#include "tests/export/marian_variants.h"
#include "util/check.h"
#include "util/files.h"
#include "util/philox.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A file written by hand, which Marian 1.9 runs (as Bergamot's WebAssembly), and what a model of
// that file computes by tests/export/marian_model.py.
TEST(MarianModel, ComputesWhatMarianModelsDo) {
  const ReadBackModel model =
      ReadMarianModel(fs::path(HEED_SOURCE_DIR) / "tests/export/marian_post_relu.bin");
  EXPECT_EQ(model.shape.options.model_width, 8);
  EXPECT_EQ(model.shape.source_vocabulary, 48);
  Batch batch;
  batch.source_ids = {22, 20, 2, 11, 16, 0, 14, 19, 9, 8, 15, 0, 30, 6, 0};
  batch.target_inputs = {-1, 5, 5, 5, 5, -1, 11, 11, -1};
  batch.target_labels = {5, 5, 5, 5, 0, 11, 11, 0, 0};
  batch.source = SequenceLayout::FromLengths(std::vector<int32_t>{6, 6, 3});
  batch.target = SequenceLayout::FromLengths(std::vector<int32_t>{5, 3, 1});
  batch.sentence_ids = {0, 1, 2};
  const std::vector<double> wanted = {-2.0342219, -2.0707502, -2.0924950, -2.0986817, -2.0948425,
                                      -2.1967570, -2.1602235, -2.1187296, -1.0554978};
  const auto got = ProbeLogProbabilities(batch, model.shape, model.fill, *MakeBackend({}));
  EXPECT_THAT(got, testing::Pointwise(testing::DoubleNear(2e-6), wanted));
}

class MarianModelTest : public testing::Test {
 protected:
  MarianModelTest() { fs::create_directories(disk_ / "exported"); }

  std::string FaultOf(const std::string& bytes) {
    WriteFile(path_, bytes);
    try {
      ReadMarianModel(path_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  std::string Export() {
    WriteMarianBinModel(ModelSource(disk_.path()), ElementType::kFloat32, disk_ / "exported");
    return ReadFile(path_);
  }
  const ModelOnDisk disk_{SmallRecipe()};
  const fs::path path_ = disk_ / "exported" / "model.bin";
};

TEST_F(MarianModelTest, FilesThatContradictThemselvesAreRefused) {
  const std::string bytes = Export();
  const auto fault_with = [&](const std::string& from, const std::string& to) {
    std::string other = bytes;
    return FaultOf(other.replace(other.find(from), from.size(), to));
  };
  EXPECT_EQ(FaultOf(bytes), "");
  EXPECT_THAT(fault_with("dim-emb: 16", "dim-emb: 32"),
              HasSubstr("'Wemb' is [90, 16]; the model needs [90, 32]"));
  EXPECT_THAT(fault_with("transformer-dim-ffn: 24", "transformer-dim-ffn: 23"),
              HasSubstr("'encoder_l1_ffn_W1' is [24, 16]; the model needs [23, 16]"));
  EXPECT_THAT(fault_with("enc-depth: 2", "enc-depth: 9"), HasSubstr("no 'encoder_l3_self_Wq'"));
  EXPECT_THAT(fault_with("[90, 90]", "[89, 90]"), HasSubstr("one embedding for vocabularies"));
  EXPECT_THAT(fault_with("[90, 90]", "[91, 91]"),
              HasSubstr("'Wemb' is [90, 16]; the model needs [91, 16]"));
  EXPECT_THAT(fault_with("special:model.yml", "special:model.xml"), HasSubstr("has no 'special:"));
}

TEST_F(MarianModelTest, DamagedFilesAreModelsOrUserErrors) {
  const std::string bytes = Export();
  for (size_t length = 0; length < bytes.size(); length += 97) {
    EXPECT_NE(FaultOf(bytes.substr(0, length)), "") << length;
  }
  const RandomStream stream{.seed = 8};
  for (uint32_t i = 0; i < 100; ++i) {
    std::string changed = bytes;
    const uint32_t random = RandomBits(stream, i);
    changed[(random >> 8) % bytes.size()] = static_cast<char>(random);
    FaultOf(changed);
  }
}

TEST_F(MarianModelTest, DirectoriesWithoutAModelAreUserErrors) {
  EXPECT_THROW(ReadMarianModel(disk_ / "exported"), UserError);
}

}  // namespace
}  // namespace heed
