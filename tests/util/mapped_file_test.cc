#include "util/mapped_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <utility>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

TEST(MappedFile, ShowsTheBytes) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", std::string("a\0b\n", 4));
  const MappedFile file(directory / "file");
  EXPECT_EQ(file.size(), 4);
  EXPECT_EQ(file.text(), std::string_view("a\0b\n", 4));
  EXPECT_EQ(file.bytes()[2], std::byte{'b'});
  EXPECT_EQ(file.path(), directory / "file");
}

TEST(MappedFile, AnEmptyFileHasNoBytes) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", "");
  const MappedFile file(directory / "file");
  EXPECT_EQ(file.size(), 0);
  EXPECT_TRUE(file.text().empty());
  EXPECT_TRUE(MappedFile().bytes().empty());
}

TEST(MappedFile, KeepsItsBytesWhenTheFileIsReplaced) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", "old");
  const MappedFile file(directory / "file");
  WriteFile(directory / "file", "new and longer");
  EXPECT_EQ(file.text(), "old");
}

TEST(MappedFile, Moves) {
  const TemporaryDirectory directory;
  WriteFile(directory / "a", "first");
  WriteFile(directory / "b", "second");
  MappedFile a(directory / "a");
  MappedFile b(std::move(a));
  EXPECT_EQ(b.text(), "first");
  b = MappedFile(directory / "b");
  EXPECT_EQ(b.text(), "second");
}

TEST(MappedFile, MissingFilesAndDirectoriesAreUserErrors) {
  const TemporaryDirectory directory;
  EXPECT_THROW(MappedFile(directory / "absent"), UserError);
  EXPECT_THROW(MappedFile(directory.path()), UserError);
}

TEST(MappedFile, APipeIsAUserErrorAndNotWaitedFor) {
  const TemporaryDirectory directory;
  ASSERT_EQ(mkfifo((directory / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(MappedFile(directory / "pipe"), UserError);
}

}  // namespace
}  // namespace heed
