// What the program says about itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/heed_command.h"

namespace heed {
namespace {

using testing::HasSubstr;

TEST(Help, EveryVerbHasUsageAndExamplesWithin100Columns) {
  for (const std::string verb : {"prepare", "train", "translate", "score", "evaluate", "average",
                                 "export", "import", "inspect", "help"}) {
    const CommandResult help = RunHeed(verb + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.output, HasSubstr("Usage: heed " + verb + " [OPTIONS]"));
    EXPECT_THAT(help.output, testing::ContainsRegex("Examples?:\n  heed " + verb));
    EXPECT_THAT(help.output, testing::Not(HasSubstr("\n\n\n")));
    EXPECT_EQ(RunHeed("help " + verb).output, help.output);
    std::istringstream lines(help.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(Help, NoVerbShowsThemAll) {
  const CommandResult bare = RunHeed("");
  EXPECT_EQ(bare.status, 2);
  EXPECT_EQ(bare.output, "");
  EXPECT_EQ(bare.errors, RunHeed("--help").output);
  EXPECT_THAT(bare.errors, HasSubstr("translate "));
}

TEST(Help, RecipeKeysAreExplainedOneByOneOrAll) {
  EXPECT_THAT(RunHeed("help recipe").output, HasSubstr("  max_source_length: 1024"));
  const std::string one = RunHeed("help recipe decoding.coverage_penalty").output;
  EXPECT_THAT(one, HasSubstr("coverage_penalty: 0"));
  EXPECT_THAT(one, testing::StartsWith("decoding:"));
  EXPECT_LE(CountLines(one), 7);
}

TEST(Help, VersionNamesRevisionAndLibraries) {
  EXPECT_THAT(RunHeed("--version").output,
              testing::ContainsRegex("^Heed [0-9.]+ .revision .*\n.*oneDNN"));
}

}  // namespace
}  // namespace heed
