#include "metrics/input_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/check.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;

TEST(InputChecks, UnequalLineCountsNameBoth) {
  const Lines hypotheses = {"a", "b"};
  const std::vector<Lines> references = {{"a", "b"}, {"a", "b", "c"}};
  EXPECT_THAT([&] { CheckLineCounts(hypotheses, references); },
              ThrowsMessage<UserError>(
                  AllOf(HasSubstr("2 hypotheses"), HasSubstr("3 lines in reference 2"))));
}

TEST(InputChecks, NothingToScoreIsAnError) {
  const std::vector<Lines> empty_reference = {{}};
  EXPECT_THAT([&] { CheckLineCounts({}, empty_reference); },
              ThrowsMessage<UserError>(HasSubstr("no line")));
  const Lines hypotheses = {"a"};
  EXPECT_THAT([&] { CheckLineCounts(hypotheses, {}); },
              ThrowsMessage<UserError>(HasSubstr("no reference")));
}

TEST(InputChecks, HundredTokenizedPeriodsLookTokenized) {
  Lines lines(99, "Ein Hund läuft .");
  lines.emplace_back("Ein Hund läuft.");
  lines.emplace_back(".");
  EXPECT_EQ(CountTokenizedPeriods(lines), 99);
  EXPECT_FALSE(LooksTokenized(lines));
  lines.emplace_back("x .");
  EXPECT_TRUE(LooksTokenized(lines));
}

TEST(InputChecks, MarkupIsFound) {
  const Lines sgml = {"Text <b>", "  <seg id=\"1\">Hallo</seg>"};
  EXPECT_EQ(FindMarkupLine(sgml), 2);
  const Lines plain = {"", "   ", "a < b", "<3"};
  EXPECT_EQ(FindMarkupLine(plain), std::nullopt);
}

}  // namespace
}  // namespace heed
