#include "export/argos_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "export/export_model.h"
#include "export/import_model.h"
#include "tests/export/export_fixture.h"
#include "tests/export/small_zip_file.h"
#include "text/piece_list.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ArgosImportTest : public testing::Test {
 protected:
  ArgosImportTest() {
    ExportModel(ModelSource(disk_.path()), {ExportFormat::kCtranslate2, ElementType::kFloat32},
                disk_ / "exported", *backend_);
    fs::create_directories(package_);
    fs::rename(disk_ / "exported", package_ / "model");
    fs::rename(package_ / "model" / "sentencepiece.model", package_ / "sentencepiece.model");
    WriteFile(package_ / "metadata.json", R"({"from_code": "en", "to_code": "de"})");
  }
  std::string FaultOf(const fs::path& path, const std::string& output) {
    try {
      ImportModel(path, {.format = ImportFormat::kArgos}, disk_ / output, *backend_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  const std::unique_ptr<Backend> backend_ = MakeBackend({});
  const ModelOnDisk disk_{SmallRecipe()};
  const fs::path package_ = disk_ / "package";
};

TEST_F(ArgosImportTest, PackagesAreModelsWithTheirLanguages) {
  WriteZip(disk_ / "en_de.argosmodel", FilesBelow(package_, "translate-en_de/", &ReadFile));
  ASSERT_EQ(FaultOf(disk_ / "en_de.argosmodel", "imported"), "");
  const ModelSource model(disk_ / "imported"), before(disk_.path());
  EXPECT_EQ(model.recipe().data.source_language, "en");
  EXPECT_EQ(model.recipe().data.target_language, "de");
  EXPECT_EQ(FingerprintOf(model.vocabularies()), FingerprintOf(before.vocabularies()));
  EXPECT_FALSE(fs::exists(disk_ / "imported" / "unpacked"));
  EXPECT_EQ(FaultOf(package_, "of_directory"), "");  // unpacked by hand
}

// As OpenNMT-py's models are: nothing after sources, and a begin mark of the list's.
TEST_F(ArgosImportTest, SourcesMayEndWithoutAMark) {
  const fs::path config = package_ / "model" / "config.json";
  std::string text = ReadFile(config);
  const std::string flag = "\"add_source_eos\": true";
  text.replace(text.find(flag), flag.size(), "\"add_source_eos\": false");
  WriteFile(config, text);
  ASSERT_EQ(FaultOf(package_, "imported"), "");
  const ModelSource model(disk_ / "imported");
  EXPECT_FALSE(EndsSource(*model.vocabularies().source, 3));
  EXPECT_TRUE(EndsSource(*model.vocabularies().source, 0));
  ExportModel(model, {ExportFormat::kCtranslate2, ElementType::kFloat32}, disk_ / "again",
              *backend_);
  EXPECT_THAT(ReadFile(disk_ / "again" / "config.json"), HasSubstr("\"add_source_eos\": false"));
  EXPECT_THAT(CanExport({ExportFormat::kMarian}, model),
              testing::Contains(HasSubstr("its sources get no end mark")));
  EXPECT_THAT(CanExport({ExportFormat::kHuggingFace}, model),
              testing::Contains(HasSubstr("its sources get no end mark")));
}

TEST_F(ArgosImportTest, FailuresLeaveNothing) {
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(package_.parent_path())) {
      found.insert(entry.path().filename().string());
    }
    return found;
  };
  WriteFile(disk_ / "bad.argosmodel", "PK\x03\x04");
  fs::rename(package_ / "sentencepiece.model", package_ / "bpe.model");
  WriteZip(disk_ / "bpe.argosmodel", FilesBelow(package_, "p/", &ReadFile));
  fs::remove(package_ / "metadata.json");
  const auto before = names();
  EXPECT_THAT(FaultOf(disk_ / "bad.argosmodel", "imported"), HasSubstr("is not a ZIP archive"));
  EXPECT_THAT(FaultOf(disk_ / "bpe.argosmodel", "imported"), HasSubstr("byte-pair codes"));
  EXPECT_THAT(FaultOf(package_, "imported"), HasSubstr("metadata.json"));
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace heed
