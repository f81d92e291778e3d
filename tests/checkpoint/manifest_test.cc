#include "checkpoint/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;

class ManifestOfTwoFiles : public testing::Test {
 protected:
  ManifestOfTwoFiles() {
    WriteFile(directory_ / "a", "content");
    WriteFile(directory_ / "b", "");
    manifest_ = {.update = 12,
                 .files = {{"a", 7, Crc32("content", 7)}, {"b", 0, Crc32(nullptr, 0)}}};
    WriteManifest(directory_.path(), manifest_);
  }
  std::string Fault() {
    try {
      VerifyDirectory(directory_.path());
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(directory_.path().string()));
      return error.what();
    }
    return "";
  }
  template <class Change>
  std::string FaultAfter(const Change& change) {
    WriteManifest(directory_.path(), manifest_);
    auto object = nlohmann::json::parse(ReadFile(directory_ / "manifest.json"));
    change(object);
    WriteFile(directory_ / "manifest.json", object.dump());
    return Fault();
  }

  const TemporaryDirectory directory_;
  Manifest manifest_;
};

TEST_F(ManifestOfTwoFiles, ComesBackAndFitsItsFiles) {
  EXPECT_EQ(VerifyDirectory(directory_.path()), manifest_);
  EXPECT_EQ(manifest_.Find("a")->bytes, 7);
  EXPECT_EQ(manifest_.Find("c"), nullptr);
}

TEST_F(ManifestOfTwoFiles, MayNameFilesInFoldersBelow) {
  std::filesystem::create_directories(directory_ / "c/d");
  WriteFile(directory_ / "c/d/e", "content");
  manifest_.files.push_back({"c/d/e", 7, Crc32("content", 7)});
  WriteManifest(directory_.path(), manifest_);
  EXPECT_EQ(VerifyDirectory(directory_.path()), manifest_);
  WriteFile(directory_ / "c/d/e", "c0ntent");
  EXPECT_THAT(Fault(), HasSubstr("c/d/e is damaged"));
}

TEST_F(ManifestOfTwoFiles, DamageIsFoundAndNamed) {
  WriteFile(directory_ / "a", "c0ntent");
  EXPECT_THAT(Fault(), HasSubstr("/a is damaged: its checksum is"));
  WriteFile(directory_ / "a", "conten");
  EXPECT_THAT(Fault(), HasSubstr("/a has 6 bytes, its manifest says 7"));
  std::filesystem::remove(directory_ / "a");
  EXPECT_THAT(Fault(), HasSubstr("cannot read " + (directory_ / "a").string()));
  std::filesystem::remove(directory_ / "manifest.json");
  EXPECT_THAT(Fault(), HasSubstr("manifest.json: No such file"));
}

TEST_F(ManifestOfTwoFiles, WrongManifestsAreRefused) {
  EXPECT_EQ(FaultAfter([](auto&) {}), "");
  EXPECT_THAT(FaultAfter([](auto& json) { json.erase("update"); }), HasSubstr("'update'"));
  EXPECT_THAT(FaultAfter([](auto& json) { json["format"] = 2; }), HasSubstr("has format 2"));
  EXPECT_THAT(FaultAfter([](auto& json) { json["files"][0]["crc32"] = "0000000g"; }),
              HasSubstr("'0000000g' is not a checksum"));
  EXPECT_THAT(FaultAfter([](auto& json) { json["files"][0]["crc32"] = "1"; }),
              HasSubstr("'1' is not a checksum"));
  EXPECT_THAT(FaultAfter([](auto& json) { json["files"][0]["crc32"] = ""; }),
              HasSubstr("is not a checksum"));
  for (const char* name : {"", ".", "..", "../a", "/etc/passwd", "a/", "a/../../b", "./a"}) {
    EXPECT_THAT(FaultAfter([name](auto& json) { json["files"][0]["file"] = name; }),
                HasSubstr("is not the name of a file here"));
  }
}

// Whatever byte of the directory changes, it is found out (or changes nothing but white space).
TEST_F(ManifestOfTwoFiles, EveryChangedByteIsFound) {
  const std::string good = ReadFile(directory_ / "manifest.json");
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    WriteFile(directory_ / "manifest.json", bad);
    try {
      EXPECT_NE(VerifyDirectory(directory_.path()).update, 12) << bad;
    } catch (const UserError&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace heed
