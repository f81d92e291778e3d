#include "data/pairing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;

void WriteLines(const std::filesystem::path& path, const Lines& lines) {
  std::string content;
  for (const std::string& line : lines) content += line + "\n";
  WriteFile(path, content);
}

// Some lines hold numbers, as real text does.
std::pair<Lines, Lines> SampleLines(int64_t count) {
  std::pair<Lines, Lines> lines;
  for (int64_t number = 0; number < count; ++number) {
    auto [english, german] = SamplePair(number);
    if (number % 7 == 0) {
      english += fmt::format(" {}", number);
      german += fmt::format(" {}", number);
    }
    lines.first.push_back(english);
    lines.second.push_back(german);
  }
  return lines;
}

std::optional<int64_t> Find(const Lines& longer, const Lines& shorter) {
  const TemporaryDirectory directory;
  WriteLines(directory / "longer", longer);
  WriteLines(directory / "shorter", shorter);
  return FindExtraLine(directory / "longer", directory / "shorter");
}

TEST(Pairing, FindsWhereALineWasLost) {
  const auto [english, german] = SampleLines(400);
  for (const size_t lost : {0, 1, 50, 200, 370}) {
    Lines shorter = german;
    shorter.erase(shorter.begin() + static_cast<int64_t>(lost));
    const std::optional<int64_t> found = Find(english, shorter);
    ASSERT_TRUE(found.has_value()) << "line " << lost + 1;
    EXPECT_NEAR(static_cast<double>(*found), static_cast<double>(lost + 1), 2);
  }
}

TEST(Pairing, FindsTheFirstOfManyLostLines) {
  const auto [english, german] = SampleLines(2000);
  Lines shorter;
  for (size_t i = 0; i < german.size(); ++i) {
    if (i < 300 || i % 25 != 0) shorter.push_back(german[i]);
  }
  ASSERT_EQ(german.size() - shorter.size(), 68U);
  const std::optional<int64_t> found = Find(english, shorter);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(static_cast<double>(*found), 301, 3);
}

TEST(Pairing, AFileThatIsCutOffHasNoExtraLineInside) {
  const auto [english, german] = SampleLines(400);
  for (const int64_t kept : {399, 390, 200, 1, 0}) {
    EXPECT_EQ(Find(english, Lines(german.begin(), german.begin() + kept)), std::nullopt) << kept;
  }
}

TEST(Pairing, EqualCountsAreNoQuestionForIt) {
  EXPECT_THROW(Find({"a"}, {"a"}), InternalError);
}

std::optional<int64_t> Monitor(const Lines& source, const Lines& target) {
  PairingMonitor monitor;
  for (size_t i = 0; i < source.size(); ++i) {
    monitor.Add(source[i], target[i], static_cast<int64_t>(i) + 1);
  }
  return monitor.suspicious_line();
}

TEST(PairingMonitor, NoticesThatPartnersNoLongerGoTogether) {
  auto [english, german] = SampleLines(5000);
  EXPECT_EQ(Monitor(english, german), std::nullopt);
  // A line is lost in German, and another one in English much later: the counts agree.
  german.erase(german.begin() + 2400);
  english.erase(english.begin() + 4600);
  const std::optional<int64_t> line = Monitor(english, german);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(*line, 2501);
}

TEST(PairingMonitor, TextThatNeverWentTogetherIsNoNews) {
  auto [english, german] = SampleLines(5000);
  german.erase(german.begin());
  german.push_back("x");
  EXPECT_EQ(Monitor(english, german), std::nullopt);
  // Nor are lines of one length.
  EXPECT_EQ(Monitor(Lines(3000, "same"), Lines(3000, "gleich")), std::nullopt);
}

}  // namespace
}  // namespace heed
