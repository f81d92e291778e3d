#include "train/appended_file.h"

#include <gtest/gtest.h>

#include "tests/util/file_size_limit.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"

namespace heed {
namespace {

TEST(AppendedFile, EntriesAreInTheFileAtOnce) {
  const TemporaryDirectory directory;
  AppendedFile file(directory / "log");
  file.Append("one\n");
  EXPECT_EQ(ReadFile(directory / "log"), "one\n");
  file.Append(std::string_view("\0two", 4));
  EXPECT_EQ(ReadFile(directory / "log"), std::string("one\n\0two", 8));
}

TEST(AppendedFile, WhatAFullDiskKeepsOutIsWrittenLaterAndNeverTorn) {
  const TemporaryDirectory directory;
  AppendedFile file(directory / "log");
  file.Append("first");
  {
    const FileSizeLimit limit(8);
    file.Append("second");
    EXPECT_EQ(ReadFile(directory / "log"), "first");
    file.Append("third");
    EXPECT_EQ(ReadFile(directory / "log"), "first");
  }
  file.Append("fourth");
  EXPECT_EQ(ReadFile(directory / "log"), "firstsecondthirdfourth");
}

}  // namespace
}  // namespace heed
