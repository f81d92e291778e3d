#include "config/recipe_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DescribeDifferences, EqualRecipesDifferInNothing) {
  EXPECT_THAT(DescribeDifferences(Recipe(), Recipe()), IsEmpty());
}

TEST(DescribeDifferences, EachFieldThatDiffersIsOneLine) {
  Recipe a, b;
  a.training.schedule.peak_rate = 0.0005;
  b.training.schedule.peak_rate = 0.001;
  b.name = "other";
  b.training.stop.hours = 2;
  b.validation.metrics = {ValidationMetric::kNll};
  EXPECT_THAT(DescribeDifferences(a, b),
              ElementsAre("name: \"\" -> other", "training.schedule.peak_rate: 0.0005 -> 0.001",
                          "training.stop.hours: null -> 2",
                          "validation.metrics: [nll, perplexity, bleu] -> [nll]"));
}

TEST(DescribeDifferences, ItemsThatOneSideLacksAreAbsentThere) {
  Recipe a, b;
  a.data.train.resize(1);
  b.data.train.resize(2);
  b.data.train[0].source = "x";
  b.seed = 2;
  const auto lines = DescribeDifferences(a, b);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[0], "seed: 1 -> 2");
  EXPECT_EQ(lines[1], "data.train[0].source: \"\" -> x");
  EXPECT_EQ(lines[2], "data.train[1].name: absent -> \"\"");
  const auto reverse = DescribeDifferences(b, a);
  ASSERT_EQ(reverse.size(), 9u);
  EXPECT_EQ(reverse[8], "data.train[1].weight: 1 -> absent");
}

TEST(DescribeDifferences, IncludeDoesNotCount) {
  Recipe a, b;
  b.include = {"x.yaml"};
  EXPECT_THAT(DescribeDifferences(a, b), IsEmpty());
}

}  // namespace
}  // namespace heed
