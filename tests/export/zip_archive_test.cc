#include "export/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/export/small_zip_file.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"
#include "util/philox.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ZipArchiveTest : public testing::Test {
 protected:
  // What is wrong with the archive; "" = nothing.
  std::string Unpack() {
    fs::remove_all(unpacked_);
    fs::create_directories(unpacked_);
    try {
      UnpackZip(path_, unpacked_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  std::string FaultOf(const std::vector<FileToZip>& files) {
    WriteZip(path_, files);
    return Unpack();
  }
  // Changes the two bytes at `offset` of the first entry of the directory at the end.
  void Patch(size_t offset, uint16_t value) {
    std::string bytes = ReadFile(path_);
    std::memcpy(bytes.data() + bytes.find("PK\x01\x02") + offset, &value, sizeof value);
    WriteFile(path_, bytes);
  }

  TemporaryDirectory directory_;
  const fs::path path_ = directory_ / "x.zip";
  const fs::path unpacked_ = directory_ / "in" / "unpacked";
};

TEST_F(ZipArchiveTest, FilesComeOutWhole) {
  const std::string text(100000, 'a');
  ASSERT_EQ(FaultOf({{.name = "m/a.txt", .content = text},
                     {.name = "m/deep/b", .content = "b", .is_deflated = false},
                     {.name = "m/empty", .content = ""}}),
            "");
  EXPECT_EQ(ReadFile(unpacked_ / "m/a.txt"), text);
  EXPECT_EQ(ReadFile(unpacked_ / "m/deep/b"), "b");
  EXPECT_EQ(ReadFile(unpacked_ / "m/empty"), "");
  EXPECT_EQ(RootOfUnpacked(unpacked_), unpacked_ / "m");
  EXPECT_EQ(RootOfUnpacked(unpacked_ / "m"), unpacked_ / "m");
}

TEST_F(ZipArchiveTest, NamesStayInTheDirectory) {
  for (const char* name : {"../x", "a/../../x", "/etc/x", "a//x", "./x", "a/.", "..", "a\\..\\x",
                           "C:\\x", "a\nb", "\xFF"}) {
    EXPECT_THAT(FaultOf({{.name = name, .content = "x"}}), HasSubstr("is no name of a file"))
        << name;
  }
  for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
    EXPECT_FALSE(entry.is_regular_file() && entry.path() != path_) << entry.path();
  }
}

TEST_F(ZipArchiveTest, NamesComeOnceAndAreNoLinks) {
  WriteZip(path_, {{.name = "one", .content = "1"}, {.name = "two", .content = "2"}});
  std::string bytes = ReadFile(path_);
  for (size_t place = bytes.find("two"); place != std::string::npos; place = bytes.find("two")) {
    bytes.replace(place, 3, "one");
  }
  WriteFile(path_, bytes);
  EXPECT_THAT(Unpack(), HasSubstr("'one' comes twice"));
  EXPECT_THAT(FaultOf({{.name = "l", .content = "/etc/passwd", .is_link = true}}),
              HasSubstr("'l' is a link"));
  EXPECT_NE(FaultOf({{.name = "a", .content = "x"}, {.name = "a/b", .content = "x"}}), "");
}

TEST_F(ZipArchiveTest, WhatIsOutOfProportionIsNotUnpacked) {
  EXPECT_THAT(FaultOf({{.name = "bomb", .content = std::string(40 << 20, '\0')}}),
              HasSubstr("bomb' is too large"));
  EXPECT_TRUE(fs::is_empty(unpacked_));
}

TEST_F(ZipArchiveTest, SizesThatLieAreFound) {
  constexpr size_t kSize = 24, kFlags = 8, kMethod = 10;
  const std::vector<FileToZip> files = {{.name = "a", .content = std::string(1000, 'a')}};
  for (const int size : {999, 1001, 0, 65535}) {
    WriteZip(path_, files);
    Patch(kSize, static_cast<uint16_t>(size));
    EXPECT_NE(Unpack(), "") << size;
    EXPECT_FALSE(fs::exists(unpacked_ / "a"));
  }
  WriteZip(path_, files);
  Patch(kFlags, 1);
  EXPECT_THAT(Unpack(), HasSubstr("'a' is encrypted"));
  WriteZip(path_, files);
  Patch(kMethod, 12);
  EXPECT_THAT(Unpack(), HasSubstr("is compressed by method 12"));
}

TEST_F(ZipArchiveTest, DamagedArchivesAreUserErrors) {
  std::string content;
  for (int i = 0; i < 300; ++i) content += fmt::format("line {}\n", i * i);
  WriteZip(path_, {{.name = "a", .content = content}, {.name = "b/c", .content = "c"}});
  const std::string bytes = ReadFile(path_);
  for (size_t i = 0; i < 64; ++i) {
    WriteFile(path_, bytes.substr(0, bytes.size() * i / 64));
    EXPECT_THAT(Unpack(), HasSubstr(path_.string())) << i;
  }
  const RandomStream stream{.seed = 3};
  for (uint32_t i = 0; i < 100; ++i) {
    std::string changed = bytes;
    const uint32_t random = RandomBits(stream, i);
    const size_t place = (random >> 8) % bytes.size();
    changed[place] = static_cast<char>(changed[place] ^ (1 << random % 8));
    WriteFile(path_, changed);
    if (Unpack().empty() && fs::exists(unpacked_ / "a")) {
      EXPECT_EQ(ReadFile(unpacked_ / "a"), content) << i;
    }
  }
  EXPECT_THROW(UnpackZip(directory_ / "nothing.zip", unpacked_), UserError);
}

}  // namespace
}  // namespace heed
