// Wrong use gives exit status 2 and one message on standard error: what, where, what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/cli/heed_command.h"

namespace heed {
namespace {

struct WrongUse {
  std::string arguments;
  std::vector<std::string> message;  // parts of it
};

void ExpectMessages(const std::vector<WrongUse>& uses) {
  for (const WrongUse& use : uses) {
    const CommandResult result = RunHeed(use.arguments);
    SCOPED_TRACE("heed " + use.arguments);
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_THAT(result.errors, testing::HasSubstr("heed: error: "));
    for (const std::string& part : use.message) {
      EXPECT_THAT(result.errors, testing::HasSubstr(part));
    }
  }
}

TEST(WrongUse, OfTheCommandLineNamesTheNearestWord) {
  ExpectMessages({
      {"trian x.yaml", {"no verb is called 'trian'", "did you mean 'train'", "heed --help"}},
      {"xyz", {"no verb is called 'xyz'", "prepare, train, translate"}},
      {"train", {"heed train: RECIPE is required", "heed train --help"}},
      {"train --sett seed=2 x.yaml", {"no option '--sett'", "did you mean '--set'"}},
      {"train x.yaml --set", {"heed train: --set", "heed train --help"}},
      {"train x.yaml y.yaml", {"heed train cannot use 'y.yaml'", "heed train --help"}},
      {"translate", {"heed translate: --model is required", "heed translate --help"}},
      {"translate --mdoel=x", {"no option '--mdoel'", "did you mean '--model'"}},
      {"translate -m x --beam many", {"--beam", "many"}},
      {"translate -m x --threads -1", {"--threads", "-1 not in range", "4096"}},
      {"translate -m x --format xml", {"--format", "xml", "n-best"}},
      {"--log-level loud train x.yaml", {"--log-level", "loud", "debug"}},
      {"evaluate x.yaml --translations a --model b", {"excludes --"}},
      {"help traim", {"no verb is called 'traim'"}},
      {"help recipe trainin", {"no recipe key 'trainin'", "did you mean 'training'"}},
  });
}

TEST(WrongUse, OfFilesNamesThemAndWhatIsExpected) {
  const TrainedRuns& runs = TrainedRuns::Get();
  const std::string model = " --model " + runs.first() + " ";
  const std::string folder = runs.Path("");
  const std::string two = runs.Write("two.txt", "a\nb\n"), one = runs.Write("one.txt", "a\n");
  const std::string no_tests = runs.Write("no_tests.yaml", "data: {source_language: en}\n");
  const std::string wrong_key = runs.Write("wrong.yaml", "training:\n  bach_tokens: 5\n");
  ExpectMessages({
      {"train nowhere.yaml", {"nowhere.yaml: no such file"}},
      {"train " + wrong_key, {"wrong.yaml:2:3", "did you mean 'batch_tokens'"}},
      {"train " + folder, {folder}},
      {"translate --model nowhere", {"nowhere does not exist", "run directory"}},
      {"translate --model " + folder, {"holds no model", "run directory"}},
      {"translate" + model + "nowhere.txt", {"nowhere.txt"}},
      {"translate" + model + "--prefixes nowhere.txt", {"nowhere.txt"}},
      {"translate" + model + "--beam 0", {"decoding.beam", "at least 1"}},
      {"translate" + model + "--beam 2 --n-best 3",
       {"decoding.n_best' (command line) is 3", "at most 'decoding.beam'"}},
      {"translate" + model + "--set bema=3", {"decoding", "did you mean 'beam'"}},
      {"translate" + model + "--coverage-penalty -1", {"coverage_penalty", "at least 0"}},
      {"translate" + model + "--max-source-length 1", {"max_source_length", "at least 2"}},
      {"translate" + model + "--model " + runs.other_vocabulary(),
       {"have different vocabularies", runs.other_vocabulary(), "train"}},
      {"score" + model + model + one + " " + one, {"heed score takes one --model"}},
      {"score" + model + two + " " + one, {"2 source lines", "1 target line"}},
      {"average " + runs.first(), {"--output is required"}},
      {"average nowhere -o " + runs.Path("average"), {"nowhere"}},
      {"inspect nowhere", {"nowhere does not exist", "run directory", "recipe"}},
      {"evaluate " + no_tests, {"evaluation.test_sets"}},
      {"evaluate " + runs.recipe_file() + " --translations nowhere", {"nowhere does not exist"}},
      {"evaluate " + runs.recipe_file() + " --translations " + folder + "/first", {"valid.txt"}},
      {"evaluate " + runs.recipe_file() + " --translations " + two,
       {"valid", "30 lines", "2 translations"}},
      {"evaluate " + runs.recipe_file() + " --compare nowhere", {"nowhere does not exist"}},
  });
}

TEST(WrongUse, PrefixesThatAreNotLineByLineAreAnError) {
  const TrainedRuns& runs = TrainedRuns::Get();
  const std::string two = runs.Write("prefixes.txt", "eins\nzwei\n");
  const std::string command = "translate --model " + runs.first() + " --prefixes " + two;
  EXPECT_EQ(RunHeed(command, "one\ntwo\n").status, 0);
  const CommandResult more = RunHeed(command, "one\ntwo\nsix\n"), fewer = RunHeed(command, "one\n");
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.errors, testing::HasSubstr("prefixes.txt ends before line 3"));
  EXPECT_EQ(fewer.status, 2);
  EXPECT_THAT(fewer.errors, testing::HasSubstr("prefixes.txt has more lines than the input"));
}

TEST(WrongUse, EmptyInputIsNotAnErrorButIsSaid) {
  const CommandResult result = RunHeed("translate --model " + TrainedRuns::Get().first());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.errors, testing::HasSubstr("the input has no lines"));
}

}  // namespace
}  // namespace heed
