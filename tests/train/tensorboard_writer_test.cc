#include "train/tensorboard_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// What TensorBoard reads, "tag step value" per line; a skip's reason if it is not installed.
struct Curves {
  int status = 0;
  std::vector<std::string> lines;
};
Curves ReadWithTensorboard(const std::string& python, const std::filesystem::path& file) {
  const std::string command = python + " " HEED_SOURCE_DIR "/tests/train/check_tensorboard.py '" +
                              file.string() + "' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  Curves curves;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    curves.lines.emplace_back(line.data());
    if (curves.lines.back().ends_with('\n')) curves.lines.back().pop_back();
  }
  const int status = pclose(pipe);
  curves.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return curves;
}

// RFC 3720, appendix B.4, and the usual check value.
TEST(Crc32c, EqualsThePublishedValues) {
  EXPECT_EQ(Crc32c(""), 0U);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
}

TEST(TensorboardWriter, ResumingDropsLaterAndTornEvents) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / kEventFile;
  {
    TensorboardWriter writer(directory.path(), 0, 0);
    writer.Write(100, "train", {{"first", 2.5}});
    writer.Write(200, "train", {{"second", 1.5}});
  }
  const std::string kept = ReadFile(file);
  {
    TensorboardWriter writer(directory.path(), 200, 200);
    writer.Write(300, "train", {{"lost", 1}});
  }
  EXPECT_THAT(ReadFile(file), HasSubstr("train/lost"));
  WriteFile(file, ReadFile(file) + "torn");
  {
    TensorboardWriter writer(directory.path(), 200, 200);
    writer.Write(300, "train", {{"again", 1}});
  }
  const std::string after = ReadFile(file);
  EXPECT_EQ(after.substr(0, kept.size()), kept);
  EXPECT_THAT(after, HasSubstr("train/again"));
  EXPECT_THAT(after, Not(HasSubstr("train/lost")));
  EXPECT_THAT(after, Not(HasSubstr("torn")));
  // From the beginning again: nothing of the old run stays.
  const TensorboardWriter fresh(directory.path(), 0, 0);
  EXPECT_THAT(ReadFile(file), Not(HasSubstr("train/")));
}

// A run that stopped before it saved a validation will validate that update again.
TEST(TensorboardWriter, ValidationsThatWereNotSavedAreDropped) {
  const TemporaryDirectory directory;
  {
    TensorboardWriter writer(directory.path(), 0, 0);
    writer.Write(4, "valid", {{"early", 1}});
    writer.Write(8, "train", {{"loss", 2}});
    writer.Write(8, "valid", {{"late", 1}});
  }
  { const TensorboardWriter writer(directory.path(), 8, 4); }
  const std::string events = ReadFile(directory.path() / kEventFile);
  EXPECT_THAT(events, HasSubstr("valid/early"));
  EXPECT_THAT(events, HasSubstr("train/loss"));
  EXPECT_THAT(events, Not(HasSubstr("valid/late")));
}

TEST(TensorboardWriter, DamagedFileIsContinuedFromItsLastGoodEvent) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / kEventFile;
  {
    TensorboardWriter writer(directory.path(), 0, 0);
    writer.Write(1, "train", {{"first", 2.5}});
    writer.Write(2, "train", {{"second", 2.5}});
  }
  std::string bytes = ReadFile(file);
  bytes[bytes.find("second")] = 'S';
  WriteFile(file, bytes);
  { const TensorboardWriter writer(directory.path(), 2, 2); }
  EXPECT_THAT(ReadFile(file), HasSubstr("train/first"));
  EXPECT_THAT(ReadFile(file), Not(HasSubstr("Second")));
}

TEST(TensorboardWriter, UnwritableFolderIsAUserError) {
  EXPECT_THROW(TensorboardWriter("/nonexistent/folder", 0, 0), UserError);
}

// Needs a Python interpreter, named by HEED_PYTHON, with tests/requirements.txt installed.
TEST(TensorboardWriter, TensorboardReadsItsCurves) {
  const char* python = std::getenv("HEED_PYTHON");
  if (python == nullptr || *python == '\0') {
    GTEST_SKIP() << "HEED_PYTHON does not name a Python with tests/requirements.txt installed";
  }
  const TemporaryDirectory directory;
  {
    TensorboardWriter writer(directory.path(), 0, 0);
    writer.Write(1, "train", {{"loss_nats", 2.5}, {"rate", std::nan("")}});
    writer.Write(300, "train", {{"loss_nats", 1.25}, {"rate", -0.5}});
    writer.Write(300, "valid", {{"bleu", 41.5}});
    writer.Write(400, "train", {{"loss_nats", 77}});
  }
  {
    TensorboardWriter writer(directory.path(), 300, 300);
    writer.Write(5000000000, "train", {{"loss_nats", 0.125}});
  }
  const Curves curves = ReadWithTensorboard(python, directory.path() / kEventFile);
  if (curves.status == 77) GTEST_SKIP() << curves.lines.front();
  EXPECT_EQ(curves.status, 0);
  EXPECT_THAT(curves.lines,
              testing::UnorderedElementsAre("train/loss_nats 1 2.5", "train/loss_nats 300 1.25",
                                            "train/loss_nats 5000000000 0.125", "train/rate 1 nan",
                                            "train/rate 300 -0.5", "valid/bleu 300 41.5"));
}

}  // namespace
}  // namespace heed
