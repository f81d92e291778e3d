#include "export/marian_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class MarianFilesTest : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text = "x") {
    WriteFile(directory_ / name, text);
  }
  std::string FaultOf(const fs::path& path) {
    try {
      FindMarianModelFiles(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory directory_;
  const fs::path& path_ = directory_.path();
};

TEST_F(MarianFilesTest, TheConfigurationNamesThem) {
  Write("opus.npz");
  Write("other.npz");
  Write("opus.vocab.yml");
  Write("decoder.yml",
        "relative-paths: true\nmodels:\n  - opus.npz\nvocabs:\n  - opus.vocab.yml\n"
        "  - opus.vocab.yml\nbeam-size: 6\nnormalize: 1\nword-penalty: 0\nmini-batch: 1\n");
  const MarianModelFiles files = FindMarianModelFiles(path_);
  EXPECT_EQ(files.model, path_ / "opus.npz");
  EXPECT_THAT(files.vocabularies, ElementsAre(path_ / "opus.vocab.yml", path_ / "opus.vocab.yml"));
  ASSERT_TRUE(files.decoding);
  EXPECT_EQ(files.decoding->beam, 6);
  EXPECT_EQ(files.decoding->length_penalty.kind, LengthPenaltyKind::kAverage);
  EXPECT_EQ(files.decoding->length_penalty.alpha, 1);
  EXPECT_TRUE(files.decoding->suppress_unknown);
  // A file that is named itself has the vocabularies of its directory.
  EXPECT_EQ(FindMarianModelFiles(path_ / "other.npz").model, path_ / "other.npz");
  EXPECT_EQ(FindMarianModelFiles(path_ / "other.npz").vocabularies, files.vocabularies);
}

TEST_F(MarianFilesTest, DecodingIsWhatMarianWouldDo) {
  Write("model.npz");
  const auto decoding = [&](const std::string& text) {
    Write("decoder.yml", text);
    return *FindMarianModelFiles(path_).decoding;
  };
  EXPECT_EQ(decoding("normalize: 0").length_penalty.kind, LengthPenaltyKind::kNone);
  EXPECT_EQ(decoding("normalize: 0.6").length_penalty.alpha, 0.6);
  EXPECT_EQ(decoding("normalize: true").length_penalty.alpha, 1);
  EXPECT_EQ(decoding("a: 1"), DecodingOptions());
  EXPECT_FALSE(decoding("allow-unk: true").suppress_unknown);
  EXPECT_EQ(decoding("beam-size: 99999999999").beam, 1000);
  EXPECT_EQ(decoding("beam-size: [1]\nnormalize: {a: b}"), DecodingOptions());
}

TEST_F(MarianFilesTest, PathsDoNotLeaveTheDirectory) {
  fs::create_directories(directory_ / "in");
  Write("outside.npz");
  Write("in/inside.npz");
  for (const char* path :
       {"../outside.npz", "/etc/passwd", "in/../../outside.npz", "nothing.npz", ".", "\"a\\0b\""}) {
    Write("in/decoder.yml", fmt::format("models: [{}]\n", path));
    EXPECT_NE(FaultOf(directory_ / "in"), "") << path;
  }
  // Training writes whole paths: the file of that name in the directory is meant.
  Write("in/decoder.yml", "models: [/train/run7/inside.npz]\n");
  EXPECT_EQ(FindMarianModelFiles(directory_ / "in").model, directory_ / "in" / "inside.npz");
}

TEST_F(MarianFilesTest, OneModelNeedsNoConfiguration) {
  EXPECT_THAT(FaultOf(path_), HasSubstr("has no .npz or .bin"));
  Write("m.npz");
  Write("m.npz.optimizer.npz");
  EXPECT_EQ(FindMarianModelFiles(path_).model, path_ / "m.npz");
  EXPECT_FALSE(FindMarianModelFiles(path_).decoding);
  Write("n.bin");
  EXPECT_THAT(FaultOf(path_), HasSubstr("has several models"));
  Write("model.npz");
  EXPECT_EQ(FindMarianModelFiles(path_).model, path_ / "model.npz");
}

TEST_F(MarianFilesTest, WhatIsNotOneModelIsRefused) {
  Write("a.npz");
  Write("b.npz");
  Write("decoder.yml", "models: [a.npz, b.npz]\n");
  EXPECT_THAT(FaultOf(path_), HasSubstr("names 2 models"));
  Write("decoder.yml", "models: [a.npz]\nvocabs: [a.npz]\n");
  EXPECT_THAT(FaultOf(path_), HasSubstr("names 1 vocabularies"));
  for (const char* bad : {"models: [", "models: [a.npz]\nmodels: [b.npz]", "\x01"}) {
    Write("decoder.yml", bad);
    EXPECT_NE(FaultOf(path_), "") << bad;
  }
  Write("decoder.yml", std::string(2 << 20, 'x'));
  EXPECT_THAT(FaultOf(path_), HasSubstr("is too large"));
}

}  // namespace
}  // namespace heed
