#include "export/export_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "checkpoint/checkpoint.h"
#include "checkpoint/manifest.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(ExportModel, EveryModelComesBackFromEveryFormatAndType) {
  const auto backend = MakeBackend({});
  for (const ModelVariant& variant : ExportVariants()) {
    const ModelOnDisk disk(variant.recipe, true);
    const ModelSource model(disk.path());
    const bool is_moved = variant.name.find("interleaved") != std::string::npos;
    for (const auto& format : EnumNames(ExportFormat{})) {
      for (const auto& type : EnumNames(ElementType{})) {
        const ExportOptions options{format.value, type.value};
        if (!CanExport(options, model).empty()) continue;
        const fs::path output = disk / fmt::format("{}_{}", format.name, type.name);
        const ParityReport report = ExportModel(model, options, output, *backend);
        EXPECT_GT(report.tokens, 40);
        const bool is_marian = format.name.starts_with("marian");  // has an epsilon of its own
        if (type.value != ElementType::kFloat32) {
          EXPECT_GT(report.largest_difference, 0) << output;
        } else if (format.value == ExportFormat::kHuggingFace ||
                   format.value == ExportFormat::kOnnx) {
          EXPECT_LT(report.largest_difference, 1e-5) << output;  // one token more in the sum
        } else if (!is_marian && (!is_moved || format.value == ExportFormat::kSafetensors)) {
          EXPECT_EQ(report.largest_difference, 0) << variant.name << output;
        }
        const Manifest manifest = VerifyDirectory(output);
        EXPECT_EQ(manifest.update, 77);
        const auto is_file = [](const fs::directory_entry& entry) { return !entry.is_directory(); };
        EXPECT_EQ(std::count_if(fs::recursive_directory_iterator(output), {}, is_file),
                  std::ssize(manifest.files) + 1);
      }
    }
  }
}

class ExportModelTest : public testing::Test {
 protected:
  std::string FaultOf(const ExportOptions& options) {
    try {
      ExportModel(ModelSource(disk_.path()), options, disk_ / "out", *backend_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  // Names beside the model.
  std::vector<std::string> Beside() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(disk_.path().parent_path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  const std::unique_ptr<Backend> backend_ = MakeBackend({});
  const ModelOnDisk disk_{SmallRecipe()};
};

TEST_F(ExportModelTest, ReasonsComeBeforeAnythingIsWritten) {
  EXPECT_THAT(FaultOf({ExportFormat::kSafetensors, ElementType::kInt8}),
              testing::AllOf(HasSubstr("cannot be exported to safetensors as int8"),
                             HasSubstr("\n  - Heed computes with floats only")));
  EXPECT_THAT(Beside(), testing::UnorderedElementsAre("model", "vocabulary"));
}

TEST_F(ExportModelTest, ExistingOutputIsKept) {
  fs::create_directories(disk_ / "out");
  EXPECT_THAT(FaultOf({}), HasSubstr("exists already"));
  EXPECT_TRUE(fs::is_empty(disk_ / "out"));
}

// The file must claim a checksum that fits it, or the damage is found at once.
TEST_F(ExportModelTest, AModelThatIsNotFiniteLeavesNothing) {
  std::string bytes = ReadFile(disk_.path() / kModelFile);
  const float infinite = std::numeric_limits<float>::infinity();
  bytes.replace(bytes.size() - 4, 4, reinterpret_cast<const char*>(&infinite), 4);
  WriteFile(disk_.path() / kModelFile, bytes);
  Manifest manifest = ReadManifest(disk_.path());
  for (ManifestEntry& entry : manifest.files) {
    if (entry.file == kModelFile) entry.crc32 = Crc32(bytes.data(), std::ssize(bytes));
  }
  WriteManifest(disk_.path(), manifest);
  for (const auto& format : EnumNames(ExportFormat{})) {
    EXPECT_THAT(FaultOf({format.value, ElementType::kFloat32}), HasSubstr("not a finite number"));
  }
  EXPECT_THAT(Beside(), testing::UnorderedElementsAre("model", "vocabulary"));
}

}  // namespace
}  // namespace heed
