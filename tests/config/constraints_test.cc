#include "config/constraints.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heed {
namespace {

TEST(Constraints, BoundsBelongToTheRangeOrNotAsTheirNameSays) {
  EXPECT_TRUE(AtLeast{1}.Accepts(1));
  EXPECT_FALSE(AtLeast{1}.Accepts(0.5));
  EXPECT_FALSE(Above{0}.Accepts(0));
  EXPECT_TRUE(Above{0}.Accepts(1e-12));
  EXPECT_TRUE((InRange{0, 1}.Accepts(1)));
  EXPECT_FALSE((InRange{0, 1}.Accepts(1.001)));
  EXPECT_TRUE(FromZeroToBelowOne{}.Accepts(0));
  EXPECT_FALSE(FromZeroToBelowOne{}.Accepts(1));
}

TEST(Constraints, NotANumberIsNeverAccepted) {
  const double nan = std::stod("nan");
  EXPECT_FALSE(AtLeast{0}.Accepts(nan));
  EXPECT_FALSE(Above{0}.Accepts(nan));
  EXPECT_FALSE((InRange{0, 1}.Accepts(nan)));
  EXPECT_FALSE(FromZeroToBelowOne{}.Accepts(nan));
}

TEST(Constraints, NonEmptyWorksOnStringsAndLists) {
  EXPECT_FALSE(NonEmpty{}.Accepts(std::string()));
  EXPECT_TRUE(NonEmpty{}.Accepts(std::vector<int>{1}));
}

TEST(Constraints, RequirementCompletesTheMessage) {
  EXPECT_EQ(AtLeast{1}.Requirement(), "at least 1");
  EXPECT_EQ((InRange{0.9, 1}.Requirement()), "from 0.9 to 1");
}

}  // namespace
}  // namespace heed
