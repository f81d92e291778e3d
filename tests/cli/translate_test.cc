// Options of heed translate. What it makes of awkward text: tests/end_to_end/test_translate.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/heed_command.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Translate(const std::string& options = "") {
  return "translate --model " + TrainedRuns::Get().first() + " " + options;
}

TEST(Translate, LogLevelMayStandBeforeOrBehindTheVerb) {
  const std::string text = "one\n";
  EXPECT_THAT(RunHeed(Translate(), text).errors, HasSubstr("1 lines in"));
  EXPECT_EQ(RunHeed(Translate("--log-level off"), text).errors, "");
  EXPECT_EQ(RunHeed("--log-level off " + Translate(), text).errors, "");
}

TEST(Translate, LongSourceIsCutWithLineNumberAndCount) {
  const std::string text = "one two three four five six\nnine\none two three four five six seven\n";
  const CommandResult cut = RunHeed(Translate("--max-source-length 5"), text);
  EXPECT_EQ(cut.status, 0);
  EXPECT_EQ(CountLines(cut.output), 3);
  EXPECT_THAT(cut.errors, HasSubstr("line 1 has"));
  EXPECT_THAT(cut.errors, HasSubstr("line 3 has"));
  EXPECT_THAT(cut.errors, HasSubstr("is cut after 4 (decoding.max_source_length is 5)"));
  EXPECT_THAT(cut.errors, HasSubstr("2 of 3 lines"));
  EXPECT_EQ(RunHeed(Translate("--set max_source_length=5"), text).output, cut.output);
  const CommandResult whole = RunHeed(Translate(), text);
  EXPECT_THAT(whole.errors, Not(HasSubstr("is cut")));
}

// Translations are kept shorter than their sources, so that some source token has little attention.
TEST(Translate, CoveragePenaltyChangesScoresAndZeroChangesNothing) {
  const std::string text = "one two\nthree four nine\nzero\n";
  const std::string options = "--format jsonl --set max_length.ratio=0.5 --set max_length.extra=0 ";
  const std::string plain = RunHeed(Translate(options), text).output;
  EXPECT_EQ(RunHeed(Translate(options + "--coverage-penalty 0"), text).output, plain);
  const std::string with = options + "--coverage-penalty 0.3 ";
  const std::string covered = RunHeed(Translate(with), text).output;
  EXPECT_EQ(CountLines(covered), 3);
  EXPECT_NE(covered, plain);
  for (const std::string more : {"--batch-sentences 1", "--batch-sentences 2 --threads 3"}) {
    EXPECT_EQ(RunHeed(Translate(with + more), text).output, covered);
  }
}

}  // namespace
}  // namespace heed
