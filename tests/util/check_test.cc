#include "util/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(Check, FailureNamesFileConditionAndMessage) {
  try {
    HEED_CHECK(1 + 1 == 3, "got {}", 2);
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("check_test.cc:"));
    EXPECT_THAT(error.what(), testing::HasSubstr("got 2"));
    EXPECT_THAT(error.what(), testing::HasSubstr("1 + 1 == 3"));
  }
}

TEST(Check, UserErrorCarriesItsMessage) {
  try {
    ThrowUserError("{}:{}: bad", "corpus.en", 7);
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "corpus.en:7: bad");
  }
}

}  // namespace
}  // namespace heed
