#include "config/recipe_help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "config/key_index.h"
#include "error_text.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RecipeHelp, EveryKeyIsThere) {
  const std::string help = RecipeHelp();
  for (const std::string& path : KeyIndex().paths()) {
    const std::string key = path.substr(path.rfind('.') + 1);
    EXPECT_TRUE(help.find('\n' + key + ':') != std::string::npos ||
                help.find("  " + key + ':') != std::string::npos ||
                help.find("- " + key + ':') != std::string::npos)
        << path;
  }
}

TEST(RecipeHelp, FitsIn100Columns) {
  std::istringstream lines(RecipeHelp());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(RecipeHelp, ShowsDefaultTypeRangeAndMeaning) {
  const std::string help = RecipeHelp();
  EXPECT_THAT(
      help, HasSubstr("  heads: 8                        Attention heads [integer, at least 1]\n"));
  EXPECT_THAT(help, HasSubstr("    kind: inverse_sqrt"));
  EXPECT_THAT(help, HasSubstr("[inverse_sqrt | paper | linear | cosine | constant]"));
  EXPECT_THAT(help, HasSubstr("    - name: (required)"));
  EXPECT_THAT(help, HasSubstr("[number or null, at least 1]"));
}

TEST(RecipeHelp, OneSectionOrKeyCanBeAskedFor) {
  const std::string help = RecipeHelp("training.schedule");
  EXPECT_THAT(help, HasSubstr("training:"));
  EXPECT_THAT(help, HasSubstr("peak_rate: 0.0007"));
  EXPECT_THAT(help, Not(HasSubstr("batch_tokens")));
  EXPECT_THAT(help, Not(HasSubstr("model_width")));
  EXPECT_THAT(RecipeHelp("data.train.weight"), HasSubstr("weight: 1"));
}

TEST(RecipeHelp, UnknownKeyGetsTheNearest) {
  EXPECT_EQ(ErrorText([] { RecipeHelp("training.schedul"); }),
            "no recipe key 'training.schedul'; did you mean 'training.schedule'?");
  EXPECT_THAT(ErrorText([] { RecipeHelp("training.nothing_like_it"); }),
              HasSubstr("no recipe key"));
}

}  // namespace
}  // namespace heed
