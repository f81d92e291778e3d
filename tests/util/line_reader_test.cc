#include "util/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/util/compression.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> LinesOf(const std::string& content) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", content);
  return ReadLines(directory / "file");
}

TEST(LineReader, SplitsAtLineFeedOnly) {
  EXPECT_THAT(LinesOf("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(LinesOf("a\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(LinesOf(""), ElementsAre());
  EXPECT_THAT(LinesOf("\n"), ElementsAre(""));
  EXPECT_THAT(LinesOf("\n\na\n\n"), ElementsAre("", "", "a", ""));
  // U+2028, U+2029, U+0085, form feed, vertical tab, tab, NBSP, lone carriage return, NUL.
  const std::string inner("x\xE2\x80\xA8\xE2\x80\xA9\xC2\x85\f\v\t\xC2\xA0\ry\0z", 17);
  EXPECT_THAT(LinesOf(inner + "\n" + inner), ElementsAre(inner, inner));
}

TEST(LineReader, DropsOneTrailingCarriageReturn) {
  EXPECT_THAT(LinesOf("a\r\n\r\nb\r\r\nc\r"), ElementsAre("a", "", "b\r", "c"));
}

TEST(LineReader, DropsAByteOrderMarkAtTheStartOfTheFileOnly) {
  EXPECT_THAT(LinesOf("\xEF\xBB\xBF"
                      "a\n\xEF\xBB\xBF"
                      "b\n"),
              ElementsAre("a",
                          "\xEF\xBB\xBF"
                          "b"));
  EXPECT_THAT(LinesOf("\xEF\xBB\xBF\n"), ElementsAre(""));
}

TEST(LineReader, LinesOfAnyLengthCrossTheBuffer) {
  std::vector<std::string> lines;
  std::string content;
  for (const size_t length : {0, 1, 262143, 262144, 262145, 1 << 20, 7, 5 << 20, 100000}) {
    lines.emplace_back(length, static_cast<char>('a' + lines.size()));
    content += lines.back() + "\n";
  }
  EXPECT_TRUE(LinesOf(content) == lines);
  EXPECT_TRUE(LinesOf(Gzip(content)) == lines);
  EXPECT_TRUE(LinesOf(Zstd(content)) == lines);
}

TEST(LineReader, CountsLines) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", "a\nb\nc");
  LineReader reader(directory / "file");
  EXPECT_EQ(reader.line_number(), 0);
  std::string_view line;
  for (int64_t number = 1; number <= 3; ++number) {
    EXPECT_TRUE(reader.Next(&line));
    EXPECT_EQ(reader.line_number(), number);
  }
  EXPECT_FALSE(reader.Next(&line));
  EXPECT_FALSE(reader.Next(&line));
  EXPECT_EQ(reader.line_number(), 3);
}

// Reads lines until an error; the number of lines and the message.
std::pair<int64_t, std::string> ReadUntilError(const std::filesystem::path& path,
                                               int64_t longest_line = kLongestLine) {
  LineReader reader(path, longest_line);
  try {
    for (std::string_view line; reader.Next(&line);) continue;
  } catch (const UserError& error) {
    return {reader.line_number(), error.what()};
  }
  return {reader.line_number(), "no error"};
}

TEST(LineReader, TooLongLinesAreUserErrors) {
  const TemporaryDirectory directory;
  WriteFile(directory / "file", "123\n1234\n12345\n1");
  EXPECT_EQ(ReadUntilError(directory / "file", 5).second, "no error");
  const auto [lines, message] = ReadUntilError(directory / "file", 4);
  EXPECT_EQ(lines, 2);
  EXPECT_THAT(message, HasSubstr("file:3: a line of more than 4 bytes"));
  WriteFile(directory / "file", std::string(3 << 20, 'x'));
  EXPECT_THAT(ReadUntilError(directory / "file", 1 << 20).second, HasSubstr("file:1: a line of"));
}

TEST(LineReader, ADamagedFileGivesItsWholeLinesAndThenAUserError) {
  const TemporaryDirectory directory;
  const std::string gzip = Gzip("first\nsecond\nthird\n");
  WriteFile(directory / "file", gzip.substr(0, gzip.size() - 4));
  const auto [lines, message] = ReadUntilError(directory / "file");
  EXPECT_EQ(lines, 3);
  EXPECT_THAT(message, HasSubstr(fmt::format("file:4: gzip data end too early at byte {}; fetch",
                                             gzip.size() - 4)));
}

}  // namespace
}  // namespace heed
