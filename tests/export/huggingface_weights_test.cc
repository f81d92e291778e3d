#include "export/huggingface_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/safetensors_writer.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A tensor [2, 2] whose values are `first` and the three after it.
TensorToWrite Square(const std::string& name, float first) {
  return {.name = name, .type = "F32", .shape = {2, 2}, .write = [first](AtomicFile& file) {
            const std::array<float, 4> values{first, first + 1, first + 2, first + 3};
            file.Write(values.data(), sizeof values);
          }};
}

class HuggingFaceWeightsTest : public testing::Test {
 protected:
  std::string Fault() const {
    try {
      const HuggingFaceWeights weights(directory_ / "");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  void WriteList(const std::string& map) const {
    WriteFile(directory_ / "model.safetensors.index.json", R"({"weight_map": )" + map + "}");
  }
  const TemporaryDirectory directory_;
};

TEST_F(HuggingFaceWeightsTest, ShardsAreOneSetOfTensors) {
  WriteSafetensors(directory_ / "model-00001-of-00002.safetensors", {Square("a", 1)});
  WriteSafetensors(directory_ / "model-00002-of-00002.safetensors", {Square("b", 5)});
  WriteList(
      R"({"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"})");
  RowSource rows;
  {
    const HuggingFaceWeights weights(directory_ / "");
    EXPECT_THAT(weights.Names(), ElementsAre("a", "b"));
    EXPECT_TRUE(weights.Contains("b"));
    EXPECT_FALSE(weights.Contains("c"));
    EXPECT_THROW(weights.Rows("c"), UserError);
    rows = weights.Rows("b");
  }
  std::array<float, 2> row{};
  rows.read(1, row);  // the files stay open
  EXPECT_THAT(row, ElementsAre(7, 8));
}

TEST_F(HuggingFaceWeightsTest, APickleIsRefusedAndTheWayOutNamed) {
  EXPECT_THAT(Fault(), HasSubstr("has neither model.safetensors nor model.safetensors.index.json"));
  WriteFile(directory_ / "pytorch_model.bin", "PK");
  EXPECT_THAT(Fault(),
              HasSubstr("from_pretrained(D).save_pretrained(D2, safe_serialization=True)"));
}

TEST_F(HuggingFaceWeightsTest, AListMayNameFilesBesideItOnly) {
  WriteSafetensors(directory_ / "x.safetensors", {Square("a", 1)});
  for (const char* path : {"../x.safetensors", "/etc/passwd", "sub/x.safetensors", "x.bin", ""}) {
    WriteList(fmt::format(R"({{"a": "{}"}})", path));
    EXPECT_THAT(Fault(), HasSubstr("only files beside it")) << path;
  }
  WriteList(R"({"a": "y.safetensors"})");
  EXPECT_THAT(Fault(), HasSubstr("y.safetensors"));
  WriteList(R"({"b": "x.safetensors"})");
  EXPECT_THAT(Fault(), HasSubstr("x.safetensors"));
  for (const char* list : {"3", R"({"a": 3})", R"([["a"]])"}) {
    WriteList(list);
    EXPECT_THAT(Fault(), HasSubstr("does not say which file holds which tensor")) << list;
  }
}

TEST_F(HuggingFaceWeightsTest, OnlyFloatsAreWeights) {
  TensorToWrite ids = Square("ids", 0);
  ids.type = "I32";
  WriteSafetensors(directory_ / "model.safetensors", {ids});
  const HuggingFaceWeights weights(directory_ / "");
  EXPECT_THROW(weights.Rows("ids"), UserError);
}

}  // namespace
}  // namespace heed
