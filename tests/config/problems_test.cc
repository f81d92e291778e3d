#include "config/problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_text.h"

namespace heed {
namespace {

TEST(SourcePosition, FileLineAndColumnOrJustTheSource) {
  EXPECT_EQ((SourcePosition{"a.yaml", 12, 5}.ToString()), "a.yaml:12:5");
  EXPECT_EQ((SourcePosition{"command line"}.ToString()), "command line");
}

TEST(ProblemList, ProblemsAreSortedByPlaceWithinTheirFile) {
  ProblemList problems;
  problems.Add({"b.yaml", 9, 1}, "late");
  problems.Add({"a.yaml", 1, 1}, "other file");
  problems.Add({"b.yaml", 2, 7}, "early, right");
  problems.Add({"b.yaml", 2, 3}, "early, left");
  EXPECT_EQ(problems.ToString(),
            "b.yaml:2:3: early, left\n"
            "b.yaml:2:7: early, right\n"
            "b.yaml:9:1: late\n"
            "a.yaml:1:1: other file");
}

TEST(ProblemList, OnlyTheFirstThirtyAreShown) {
  ProblemList problems;
  for (int line = 1; line <= 33; ++line) problems.Add({"a", line, 1}, "x");
  EXPECT_THAT(problems.ToString(), testing::HasSubstr("a:30:1: x\n... and 3 more problems"));
  EXPECT_THAT(problems.ToString(), testing::Not(testing::HasSubstr("a:31:1")));
}

TEST(ProblemList, ThrowsOnlyIfThereAreProblems) {
  ProblemList problems;
  EXPECT_NO_THROW(problems.ThrowIfAny());
  problems.Add({"a", 1, 2}, "wrong");
  EXPECT_EQ(ErrorText([&] { problems.ThrowIfAny(); }), "a:1:2: wrong");
}

}  // namespace
}  // namespace heed
