#include "util/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/directories.h"

namespace heed {
namespace {

using testing::HasSubstr;

template <class Action>
std::string UserErrorOf(const Action& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no UserError was thrown";
  return "";
}

int64_t CountEntries(const std::filesystem::path& directory) {
  return std::distance(std::filesystem::directory_iterator(directory), {});
}

TEST(Files, WhatIsWrittenIsRead) {
  const TemporaryDirectory directory;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1} << 20, size_t{3000000}}) {
    std::string content(size, 'x');
    for (size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 % 251);
    WriteFile(directory / "file", content);
    EXPECT_EQ(ReadFile(directory / "file"), content);
    EXPECT_EQ(FileSize(directory / "file"), static_cast<int64_t>(size));
  }
  EXPECT_EQ(CountEntries(directory.path()), 1);
}

TEST(Files, PiecesOfAllSizesArriveInOrderWithTheirChecksum) {
  const TemporaryDirectory directory;
  std::string expected;
  AtomicFile file(directory / "file");
  for (const size_t size : {3, 1 << 20, 0, 700000, 700000, 5 << 20, 1}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    file.Write(piece);
    expected += piece;
  }
  file.Commit();
  EXPECT_EQ(ReadFile(directory / "file"), expected);
  EXPECT_EQ(file.bytes(), static_cast<int64_t>(expected.size()));
  EXPECT_EQ(file.crc32(), Crc32(expected.data(), static_cast<int64_t>(expected.size())));
}

TEST(Files, WithoutCommitTheOldContentStays) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", "old");
  {
    AtomicFile file(directory / "file");
    file.Write(std::string(3 << 20, 'n'));
    EXPECT_EQ(ReadFile(directory / "file"), "old");
  }
  EXPECT_EQ(ReadFile(directory / "file"), "old");
  EXPECT_EQ(CountEntries(directory.path()), 1);
}

TEST(Files, UseAfterCommitIsOurBug) {
  const TemporaryDirectory directory;
  AtomicFile file(directory / "file");
  file.Commit();
  EXPECT_THROW(file.Write("x"), InternalError);
  EXPECT_THROW(file.Commit(), InternalError);
}

TEST(Files, ErrorsNamePathReasonSpaceAndAdvice) {
  const TemporaryDirectory directory;
  const std::string missing = directory / "no/file";
  const std::string reading = UserErrorOf([&] { ReadFile(missing); });
  EXPECT_THAT(reading, HasSubstr("cannot read " + missing + ": No such file or directory"));
  EXPECT_THAT(reading, HasSubstr("check the path"));
  EXPECT_THAT(UserErrorOf([&] { WriteFile(missing, ""); }), HasSubstr("cannot write " + missing));
  EXPECT_THAT(UserErrorOf([&] { ReadFile(directory.path()); }), HasSubstr("Is a directory"));
  EXPECT_THAT(UserErrorOf([&] { FileSize(missing); }), HasSubstr("cannot read"));

  const std::string full = UserErrorOf([&] { ThrowFileError("write", directory / "x", ENOSPC); });
  EXPECT_THAT(full, HasSubstr("No space left on device"));
  EXPECT_THAT(full, HasSubstr(" free there; free some space"));
  EXPECT_THAT(UserErrorOf([&] { ThrowFileError("write", "/x", EACCES); }),
              HasSubstr("check the permissions"));
  EXPECT_THAT(UserErrorOf([&] { ThrowFileError("read", "/x", EIO); }),
              testing::EndsWith("Input/output error"));
}

TEST(Files, BytesArePrintedInUnits) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(999), "999 B");
  EXPECT_EQ(FormatBytes(1000), "1.00 kB");
  EXPECT_EQ(FormatBytes(1234567), "1.23 MB");
  EXPECT_EQ(FormatBytes(45600000000), "45.6 GB");
  EXPECT_EQ(FormatBytes(int64_t{5} << 40), "5.50 TB");
  EXPECT_EQ(FormatBytes(int64_t{1} << 60), "1153 PB");
}

TEST(Files, FreeSpaceIsThatOfTheNearestParent) {
  const TemporaryDirectory directory;
  EXPECT_GT(FreeBytes(directory / "not/yet/there"), 0);
  RequireFreeBytes(directory.path(), 1, "a checkpoint");
  EXPECT_THAT(
      UserErrorOf([&] { RequireFreeBytes(directory.path(), int64_t{1} << 60, "a checkpoint"); }),
      HasSubstr("a checkpoint needs 1153 PB in " + directory.path().string()));
}

// A limit on file sizes stands in for a full disk: write fails in the middle in the same way.
TEST(Files, FailureInTheMiddleOfAWriteLeavesTheOldFile) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", "old");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 5 << 20, .rlim_max = 5 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      WriteFile(directory / "file", std::string(8 << 20, 'n'));
    } catch (const UserError& error) {
      const bool clear = std::string_view(error.what()).find("ulimit -f") != std::string::npos;
      _exit(clear ? 0 : 2);
    }
    _exit(3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(ReadFile(directory / "file"), "old");
  EXPECT_EQ(CountEntries(directory.path()), 1);
}

}  // namespace
}  // namespace heed
