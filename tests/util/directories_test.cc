#include "util/directories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

int64_t CountEntries(const fs::path& directory) {
  return std::distance(fs::directory_iterator(directory), {});
}

TEST(Directories, WhatHasANameIsNotAbsent) {
  const TemporaryDirectory parent;
  EXPECT_NO_THROW(RequireAbsent(parent / "nothing"));
  fs::create_symlink("nowhere", parent / "link");
  EXPECT_THROW(RequireAbsent(parent / "link"), UserError);
  EXPECT_THROW(RequireAbsent(parent.path()), UserError);
}

TEST(Directories, AppearWholeAtCommit) {
  const TemporaryDirectory parent;
  AtomicDirectory directory(parent / "target");
  WriteFile(directory.path() / "file", "content");
  MakeDirectories(directory.path() / "inner/most");
  EXPECT_FALSE(fs::exists(parent / "target"));
  directory.Commit();
  EXPECT_EQ(ReadFile(parent / "target/file"), "content");
  EXPECT_TRUE(fs::is_directory(parent / "target/inner/most"));
  EXPECT_EQ(CountEntries(parent.path()), 1);
  EXPECT_THROW(directory.Commit(), InternalError);
}

TEST(Directories, CommitReplacesADirectoryOfThatName) {
  const TemporaryDirectory parent;
  MakeDirectories(parent / "target");
  WriteFile(parent / "target/old", "old");
  AtomicDirectory directory(parent / "target");
  WriteFile(directory.path() / "new", "new");
  directory.Commit();
  EXPECT_EQ(ReadFile(parent / "target/new"), "new");
  EXPECT_FALSE(fs::exists(parent / "target/old"));
  EXPECT_EQ(CountEntries(parent.path()), 1);
}

TEST(Directories, WithoutCommitNothingIsLeft) {
  const TemporaryDirectory parent;
  {
    const AtomicDirectory directory(parent / "target");
    WriteFile(directory.path() / "file", "content");
  }
  EXPECT_EQ(CountEntries(parent.path()), 0);
  EXPECT_THROW(AtomicDirectory(parent / "no/target"), UserError);
}

TEST(Directories, LeftoversOfAKillAreRemovedAndNothingElse) {
  const TemporaryDirectory parent;
  const pid_t child = fork();
  if (child == 0) {
    const AtomicDirectory directory(parent / "target");
    WriteFile(directory.path() / "file", "content");
    AtomicFile file(parent / "file");
    file.Write("content");
    _exit(0);  // destructors do not run
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  WriteFile(parent / "kept", "");
  EXPECT_EQ(CountEntries(parent.path()), 3);
  EXPECT_EQ(RemoveLeftovers(parent.path()), 2);
  EXPECT_EQ(CountEntries(parent.path()), 1);
  EXPECT_TRUE(fs::exists(parent / "kept"));
  EXPECT_EQ(RemoveLeftovers(parent / "absent"), 0);
}

TEST(Directories, AreRemovedWithTheirContent) {
  const TemporaryDirectory parent;
  MakeDirectories(parent / "old/inner");
  WriteFile(parent / "old/inner/file", "");
  RemoveDirectory(parent / "old");
  EXPECT_EQ(CountEntries(parent.path()), 0);
  EXPECT_THROW(RemoveDirectory(parent / "old"), UserError);
}

TEST(Directories, SymlinksAreReplaced) {
  const TemporaryDirectory parent;
  ReplaceSymlink(parent / "last", "one");
  EXPECT_EQ(fs::read_symlink(parent / "last"), "one");
  ReplaceSymlink(parent / "last", "two");
  EXPECT_EQ(fs::read_symlink(parent / "last"), "two");
  EXPECT_EQ(CountEntries(parent.path()), 1);
}

TEST(Directories, ASymlinkDoesNotReplaceADirectory) {
  const TemporaryDirectory parent;
  MakeDirectories(parent / "last");
  EXPECT_THROW(ReplaceSymlink(parent / "last", "one"), UserError);
  EXPECT_EQ(CountEntries(parent.path()), 1);
  EXPECT_THROW(ReplaceSymlink(parent / "no/last", "one"), UserError);
}

TEST(Directories, FilesInTheWayOfDirectoriesAreUserErrors) {
  const TemporaryDirectory parent;
  WriteFile(parent / "file", "");
  EXPECT_THROW(MakeDirectories(parent / "file/inner"), UserError);
  EXPECT_THROW(SyncDirectory(parent / "absent"), UserError);
}

TEST(FileLock, IsHeldOnceAndFreedAtTheEnd) {
  const TemporaryDirectory parent;
  {
    const FileLock lock(parent / "lock", "");
    try {
      const FileLock second(parent / "lock", "stop the other training");
      FAIL() << "locked twice";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("locked by another process; stop the other"));
    }
  }
  EXPECT_NO_THROW(FileLock(parent / "lock", ""));
  EXPECT_THROW(FileLock(parent / "no/lock", ""), UserError);
}

}  // namespace
}  // namespace heed
