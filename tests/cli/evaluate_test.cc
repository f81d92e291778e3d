// heed evaluate: scores, confidence and comparison of systems, against sacreBLEU itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "metrics/bleu.h"
#include "metrics/bootstrap.h"
#include "tests/cli/heed_command.h"
#include "util/files.h"
#include "util/line_reader.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// The references with every `step`-th word of the file replaced.
std::string Noisy(const TrainedRuns& runs, const std::string& name, int step) {
  std::string text = ReadFile(runs.Path("valid.de")), noisy;
  int word = 0;
  for (const char c : text) {
    const bool ends_word = c == ' ' || c == '\n';
    if (ends_word) ++word;
    noisy += !ends_word && word % step == 0 ? 'x' : c;
  }
  return runs.Write(name, noisy);
}

TEST(Evaluate, ModelAndItsWrittenTranslationsScoreTheSame) {
  const TrainedRuns& runs = TrainedRuns::Get();
  const std::string folder = runs.Path("translations");
  const CommandResult made = RunHeed("evaluate " + runs.recipe_file() + " -o " + folder);
  EXPECT_EQ(made.status, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("valid (30 sentences)\n  BLEU|nrefs:1|case:mixed|"));
  const CommandResult read =
      RunHeed("evaluate " + runs.recipe_file() + " --translations " + folder);
  EXPECT_EQ(read.output, made.output);
  EXPECT_EQ(
      RunHeed("evaluate " + runs.recipe_file() + " --translations " + folder + "/valid.txt").output,
      made.output);
  const CommandResult same = RunHeed("evaluate " + runs.recipe_file() + " --compare " + folder);
  EXPECT_THAT(same.output, HasSubstr("all translations are the same"));
  EXPECT_THAT(same.output, Not(HasSubstr("p = ")));
  const CommandResult models =
      RunHeed("evaluate " + runs.recipe_file() + " --compare " + runs.other_vocabulary());
  EXPECT_EQ(models.status, 0) << models.errors;
  EXPECT_THAT(models.output, HasSubstr(runs.first() + " against " + runs.other_vocabulary()));
}

TEST(Evaluate, DecodingOptionsAndSettingsReachTheSearch) {
  const TrainedRuns& runs = TrainedRuns::Get();
  const std::string command = "evaluate " + runs.recipe_file();
  const std::string short_ones = RunHeed(command + " --set decoding.max_length.extra=0").output;
  EXPECT_NE(short_ones, RunHeed(command).output);
  const CommandResult cut = RunHeed(command + " --max-source-length 2");
  EXPECT_THAT(cut.errors, HasSubstr("only the beginnings of 27 lines"));
  EXPECT_THAT(RunHeed(command + " --set evaluation.metrics=[chrf]").output, Not(HasSubstr("BLEU")));
}

TEST(Evaluate, ComparisonAndConfidenceAreThoseOfTheBootstrap) {
  const TrainedRuns& runs = TrainedRuns::Get();
  const std::string ours = Noisy(runs, "ours.txt", 9), theirs = Noisy(runs, "theirs.txt", 4);
  const CommandResult result =
      RunHeed("evaluate " + runs.recipe_file() + " --translations " + ours + " --compare " +
              theirs + " --confidence --resamples 200 --bootstrap-seed 7");
  EXPECT_EQ(result.status, 0) << result.errors;
  const Bleu bleu({});
  const std::vector<std::vector<std::string>> references = {ReadLines(runs.Path("valid.de"))};
  const SegmentStatistics system = bleu.Statistics(ReadLines(ours), references);
  const SegmentStatistics baseline = bleu.Statistics(ReadLines(theirs), references);
  const BootstrapOptions options{.resamples = 200, .seed = 7};
  EXPECT_THAT(
      result.output,
      HasSubstr("  " + ScoreWithConfidence(bleu, system, 1, options).Format(2, true) + "\n"));
  const PairedResult paired = PairedBootstrap(bleu, baseline, system, options);
  EXPECT_THAT(
      result.output,
      HasSubstr("  BLEU|nrefs:1|bs:200|seed:7|case:mixed|eff:no|tok:13a|smooth:exp|"
                "version:2.6.0\n    baseline " +
                paired.baseline.Format() + "\n    system   " + paired.system.Format() + "\n"));
  EXPECT_THAT(paired.system.Format(), HasSubstr("(p = "));
}

// Needs a Python interpreter, named by HEED_PYTHON, with tests/requirements.txt installed.
TEST(Evaluate, ComparisonPrintsSacrebleusNumbers) {
  const char* python = std::getenv("HEED_PYTHON");
  if (python == nullptr || *python == '\0') {
    GTEST_SKIP() << "HEED_PYTHON does not name a Python with tests/requirements.txt installed";
  }
  const TrainedRuns& runs = TrainedRuns::Get();
  const std::string ours = Noisy(runs, "ours.txt", 5), theirs = Noisy(runs, "theirs.txt", 4);
  const std::string expected = runs.Path("sacrebleu.txt");
  const std::string command = std::string(python) + " " HEED_SOURCE_DIR "/tests/cli/paired.py " +
                              runs.Path("valid.de") + " " + theirs + " " + ours + " > " + expected;
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c)
  const CommandResult result = RunHeed("evaluate " + runs.recipe_file() + " --translations " +
                                       ours + " --compare " + theirs + " --resamples 300");
  EXPECT_THAT(result.output, HasSubstr(ReadFile(expected)));
}

}  // namespace
}  // namespace heed
